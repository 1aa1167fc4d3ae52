// property: no-undefined
// says: conversion to a type that does not hold the number
int main(void) {
  double large = 1e10;
  int number = (int)large;
  return number > 3 ? 1 : 0;
}
