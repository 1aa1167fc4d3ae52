//! The theorems of paper 1 on random small programs, word by word, and the figures and messages that users see of orders
//! and commutativity. `BRAID_CASES` sets the number of programs.

mod commutativity;
mod generator;
mod linear_size;
mod minimality;
mod orders;
mod persistent;
mod program;
mod words;
