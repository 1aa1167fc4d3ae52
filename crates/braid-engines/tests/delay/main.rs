//! Engine `delay` and the sequential programs behind it, against the definitions of paper 3. `BRAID_CASES` sets the number of random programs.

mod figures;
mod generator;
mod guesses;
mod reference;
mod theorems;
mod verdicts;
