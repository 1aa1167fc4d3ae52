// expect: unsafe
// One cell is left out.
#define SIZE 100
#define FORGOTTEN (SIZE / 2)
#include "cells_filled_by_halves.h"
