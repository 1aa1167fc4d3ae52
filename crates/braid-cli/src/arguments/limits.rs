//! Bounds of what is looked at: threads, recursion.

use clap::Args;

/// How much of a program is looked at.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Lowering {
    /// Do not put steps together that no other thread can observe: slower, to compare with
    #[arg(long)]
    pub no_fuse: bool,
    /// At most so many instances of a thread that is started in a loop [default: 3, and with --timeout more when these violate nothing]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub instances: Option<u32>,
    /// At most so deep may calls of one function nest [default: 3, and with --timeout more when these violate nothing]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub recursion: Option<u32>,
}
