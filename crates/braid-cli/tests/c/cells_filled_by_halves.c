// expect: safe
// Every cell is filled, however many there are.
#define FORGOTTEN SIZE
#include "cells_filled_by_halves.h"
