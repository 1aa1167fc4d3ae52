//! The command line, as clap reads it.

use crate::abstraction::Abstraction;
use crate::delays::Delays;
use crate::formats::Formats;
use crate::horn::Horn;
use crate::machine::Machine;
use crate::modules::Modules;
use crate::units::{parse_bytes, parse_directory, parse_duration, parse_file, parse_inputs, parse_macro};
use crate::witness::Witnessing;
use braid_engines::explicit::Visits;
use braid_engines::gem::{Gem, Pruning, Visible};
use braid_engines::strategy::Selection;
use braid_engines::weave::{Counterexamples, Fixpoint, Weave};
use braid_frontend::c::translate::Ints;
use braid_frontend::c::tree::DataModel;
use braid_frontend::{Extern, Externs, Harness, Preprocessor, Reading};
use braid_logic::SolverOptions;
use braid_program::ast::Checks;
use braid_proof::{Contradiction, ProverOptions, Strategy};
use braid_reduction::tree::Choice;
use braid_reduction::{CommutativityMode, OrderSpec, Reduction};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Proves concurrent programs correct, or shows step by step how they break.
#[derive(Parser, Debug)]
#[command(name = "braid", version, max_term_width = 100, after_help = STATUSES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const STATUSES: &str = "\
Exit status: 0 safe, 10 unsafe, 20 unknown, 2 wrong usage, 3 input rejected, 70 internal error.";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove a program's claim, or show an execution that violates it
    Verify(Box<Verify>),
    /// Verify, and show why: the assertions of the proof and where they hold, or the interleaving that fails
    Explain(Box<Verify>),
    /// Prove a property of several runs, or show runs that violate it together
    Hyper(Box<Hyper>),
    /// Show a program as Braid understands it
    Print(Print),
    /// Show the sequential program whose executions are those of an asynchronous one within a number of delays
    Sequentialize(Sequentialize),
    /// Run the execution of a JSON result again, step by step
    Replay(Replay),
    /// Check a certificate that `braid verify --certificate` wrote, without any engine
    Check(Check),
    /// Say whether a witness holds: confirmed (status 0), refuted (10) or unknown (20)
    Validate(Box<Validate>),
    /// Serve an editor on standard input and output: verify what is opened and saved
    Lsp(Lsp),
}

#[derive(Args, Debug)]
pub struct Lsp {
    /// Some clients ask for what is the only way
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Which steps of an execution are shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Telling {
    /// Those that the violation depends on
    #[default]
    Short,
    /// All
    Full,
}

#[derive(Args, Debug)]
pub struct Validate {
    /// The witness: YAML (.yml, .yaml) or GraphML (.graphml)
    pub witness: PathBuf,
    /// The C program
    pub file: PathBuf,
    /// What the witness is about [default: what it says]
    #[arg(long, value_name = "PROP|FILE.prp")]
    pub property: Option<String>,
    #[command(flatten)]
    pub run: Run,
}

#[derive(Args, Debug)]
pub struct Verify {
    /// The program: a .c, .i, .bpl, .wvr or .braid file, or - for C from standard input; or an SV-COMP task definition (.yml)
    #[arg(required_unless_present = "compile_commands")]
    pub file: Option<PathBuf>,
    /// What to show of it: all, unreach-call, memsafety (or valid-deref, valid-free, valid-memtrack, valid-memcleanup), no-deadlock,
    /// progress, no-data-race, no-overflow, no-undefined, no-uninitialised; several with commas between them; or an SV-COMP property file
    /// [default: all for C, else the program's own claim]
    #[arg(long, value_name = "PROP|FILE.prp")]
    pub property: Option<String>,
    #[command(flatten)]
    pub witnessing: Witnessing,
    #[command(flatten)]
    pub formats: Formats,
    /// End with the answer in the words of the Software Verification Competition: true, false(PROPERTY) or unknown
    #[arg(long)]
    pub svcomp: bool,
    /// Do the rules of the competition hold, because the property is one of its files?
    #[arg(skip)]
    pub competition: bool,
    #[command(flatten)]
    pub run: Run,
}

#[derive(Args, Debug)]
#[command(after_help = HYPERPROPERTIES)]
pub struct Hyper {
    /// The program: a .c, .i, .wvr or .braid file
    pub file: PathBuf,
    /// What to show of its runs: a formula (forall …), or the name of a property
    #[arg(long, value_name = "PROPERTY")]
    pub property: String,
    /// Which function of a C file, or how another program is one: "max(x, y) -> z" [default: main]
    #[arg(long, value_name = "FUNCTION")]
    pub function: Option<String>,
    #[command(flatten)]
    pub run: Run,
}

const HYPERPROPERTIES: &str = "\
Formulas speak of values and calls, or of runs and their variables before (p.x) and after (p'.x):
  forall a b c: f(a, b) > 0 && f(b, c) > 0 ==> f(a, c) > 0
  forall p q: p.x == q.x ==> p'.y == q'.y
Names: determinism, security:low=x,y, equivalence:OTHER, symmetry, antisymmetry, transitivity,
  substitutivity, distributivity, associativity, monotonicity.
With ;out=x,y behind a name only these outputs count. See docs/hyper.md.";

/// How to verify, whatever is to be shown.
#[derive(Args, Debug)]
pub struct Run {
    /// How to verify
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    pub engine: EngineName,
    /// Which steps of an execution to show
    #[arg(long, value_name = "STEPS", value_enum, default_value_t)]
    pub trace: Telling,
    /// Tell every place in a C program where something is wrong, not only the first of each kind
    #[arg(long)]
    pub all: bool,
    /// Values to try for inputs that have infinitely many, both ends included
    #[arg(long, value_name = "LO..HI", value_parser = parse_inputs, allow_hyphen_values = true)]
    pub inputs: Option<RangeInclusive<i64>>,
    /// Which states `explicit` visits first; by default the nearest, and beside other engines those behind few switches
    #[arg(long, value_enum)]
    pub visits: Option<VisitsName>,
    /// Most states to visit
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub states: u64,
    /// Give up after this time: 60, 60s, 1.5m, 500ms, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Give up at this much memory: 4GiB, 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "4GiB")]
    pub memory: u64,
    /// Write the result as JSON to a file, or to standard output (-)
    #[arg(long, value_name = "FILE|-")]
    pub json: Option<PathBuf>,
    /// Write why a safe program is safe to a file that `braid check` accepts
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// In which form: as the engine has proven it, or as annotations of each thread that need no theory of reductions
    #[arg(long, value_enum, value_name = "FORM", default_value_t = CertificateForm::Own, requires = "certificate")]
    pub certificate_as: CertificateForm,
    /// Print nothing but the verdict
    #[arg(long)]
    pub quiet: bool,
    /// Is a proof to be explained?
    #[arg(skip)]
    pub explain: bool,
    #[command(flatten)]
    pub sequentialization: Sequentialization,
    #[command(flatten)]
    pub weaving: Weaving,
    #[command(flatten)]
    pub abstraction: Abstraction,
    #[command(flatten)]
    pub modules: Modules,
    #[command(flatten)]
    pub delays: Delays,
    #[command(flatten)]
    pub horn: Horn,
    #[command(flatten)]
    pub machine: Machine,
    #[command(flatten)]
    pub reading: CReading,
    #[command(flatten)]
    pub lowering: Lowering,
}

/// How C is read.
#[derive(Args, Clone, Debug, Default)]
pub struct CReading {
    /// More files of the same C program
    #[arg(value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// Read the files that this compile_commands.json lists, as CMake or Bear write it; where several have `main`, --entry names the one
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,
    /// Look for headers of a .c file in this directory, before others
    #[arg(short = 'I', value_name = "DIR", value_parser = parse_directory)]
    pub include: Vec<PathBuf>,
    /// Define a macro of a .c file; 1 if no value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_macro)]
    pub define: Vec<String>,
    /// Read C in the style of the Linux kernel: READ_ONCE, spin_lock, atomic_t, smp_mb, kthread_run, list_head, …
    #[arg(long)]
    pub linux: bool,
    /// Read more C functions from this file: a function without a body that is called gets the body that it has there
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    pub prelude: Vec<PathBuf>,
    /// Call this function of a C file without `main`, with any arguments; or begin in this file of --compile-commands
    #[arg(long, value_name = "FUNCTION|FILE", help_heading = "Libraries")]
    pub entry: Option<String>,
    /// Before all else, do this: a piece of C, for example "init(&q)"
    #[arg(long, value_name = "CODE", help_heading = "Libraries")]
    pub setup: Vec<String>,
    /// One thread does this, for example "push(&q, 1)". An argument * is anything, and any number of threads do "push(&q, *)*"
    #[arg(long = "threads", value_name = "CODE", help_heading = "Libraries")]
    pub threads: Vec<String>,
    /// When all threads have ended, do this, for example "assert(q.size == 2)"
    #[arg(long, value_name = "CODE", help_heading = "Libraries")]
    pub finally: Vec<String>,
    /// Start a C program with these arguments, as a shell would read them [default: any]
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub args: Option<String>,
    /// What a C function without a body may do, beside returning anything of its type: nothing (pure), write what its
    /// arguments reach (writes-arguments), write that and all global variables (anything). NAME * stands for all others
    /// [default: writes-arguments; with an SV-COMP property file pure]
    #[arg(long = "extern", value_name = "NAME=EFFECT")]
    pub externs: Vec<Extern>,
    /// What accesses to volatile objects are: plain ones, which can race, or atomic ones
    #[arg(long, value_enum, default_value_t)]
    pub volatile: VolatileName,
    /// Let malloc and its like return NULL at any time
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// How wide the integer types of C are [default: ILP32 for .i files and for programs that declare or call `reach_error` or `__VERIFIER_…`, else as on this machine]
    #[arg(long, value_name = "MODEL", value_enum, ignore_case = true)]
    pub data_model: Option<DataModelName>,
    /// How the integers of C are represented
    #[arg(long, value_enum, default_value_t = IntsName::Auto)]
    pub ints: IntsName,
}

impl CReading {
    /// What the front end is asked for.
    pub fn reading(&self, checks: Checks) -> Reading {
        Reading {
            data_model: self.data_model.map(|model| match model {
                DataModelName::Ilp32 => DataModel::Ilp32,
                DataModelName::Lp64 => DataModel::Lp64,
            }),
            preprocessor: Preprocessor {
                include: self.include.clone(),
                define: self.define.clone(),
                options: Vec::new(),
                linux: self.linux,
            },
            own: Preprocessor::default(),
            others: Vec::new(),
            harness: Harness {
                entry: self.entry.clone(),
                setup: self.setup.clone(),
                threads: self.threads.clone(),
                finally: self.finally.clone(),
            },
            arguments: self.args.as_deref().map(words),
            preludes: self.prelude.clone(),
            externs: Externs(self.externs.clone()),
            ints: match self.ints {
                IntsName::Math => Some(Ints::Math),
                IntsName::Bv => Some(Ints::Bits),
                IntsName::Auto => None,
            },
            checks,
            excused: Vec::new(),
            volatile_is_atomic: self.volatile == VolatileName::Atomic,
            malloc_may_fail: self.malloc_may_fail,
            defined: false,
        }
    }
}

/// How accesses to `volatile` objects are read.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VolatileName {
    /// Like all others
    #[default]
    Plain,
    /// Atomic
    Atomic,
}

/// The words of a command line, as a shell reads them: quotes keep words together, a backslash means the next character itself.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModelName {
    /// `int`, `long` and pointers have 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// `long` and pointers have 64 bits
    #[value(name = "LP64")]
    Lp64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IntsName {
    /// Mathematical integers that wrap around where C's do
    Math,
    /// Bit-vectors
    Bv,
    /// Mathematical integers where they are exact, else bit-vectors
    #[default]
    Auto,
}

/// How `weave` looks for a reduction.
#[derive(Args, Clone, Debug)]
pub struct Weaving {
    /// Which orders of the actions weave may choose at a state
    #[arg(long, value_enum, default_value_t = ChoiceName::Total)]
    pub choice: ChoiceName,
    /// Interleavings that weave proves in one round, the next, …: naive, progress, rr, l:N, m:N [default: rr]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub counterexamples: Option<Vec<Counterexamples>>,
    /// Steps that weave takes to refute all reductions once an interleaving is not proven [default: side by side, few and all]
    #[arg(long, value_name = "N")]
    pub patience: Option<usize>,
    /// How weave checks a proof
    #[arg(long, value_enum, default_value_t = FixpointName::Antichain)]
    pub fixpoint: FixpointName,
}

impl Weaving {
    /// The engine with these options, and with those that it shares with `gem`: several to run side by side, unless the user has
    /// chosen one.
    pub fn weave(&self, shared: &Sequentialization) -> Vec<Weave> {
        let Gem { commutativity, prover, solver, .. } = shared.gem();
        let weave = Weave {
            choice: self.choice.into(),
            fixpoint: self.fixpoint.into(),
            counterexamples: self.counterexamples.clone().unwrap_or(vec![Counterexamples::RoundRobin]),
            patience: self.patience.unwrap_or(usize::MAX),
            rounds: u64::MAX,
            order: shared.order.clone().unwrap_or(OrderSpec::LoopLockstep),
            commutativity,
            seed_invariants: shared.seed_invariants == Seeding::On,
            prover,
            solver,
        };
        let chosen =
            self.counterexamples.is_some() || self.patience.is_some() || shared.seed_invariants != Seeding::Auto;
        if chosen { vec![weave] } else { weave.variants().into() }
    }
}

/// How `gem` chooses interleavings and finds assertions.
#[derive(Args, Clone, Debug)]
pub struct Sequentialization {
    /// Which interleavings gem prefers and weave tries first: seq, seq:THREAD,…, lockstep, loop-lockstep, cut:N, random:SEED, positional-random:SEED
    #[arg(long, value_name = "ORDER")]
    pub order: Option<OrderSpec>,
    /// Which actions may be swapped
    #[arg(long, value_enum, default_value_t = CommutativityName::ProofSensitive)]
    pub commutativity: CommutativityName,
    /// Which variables matter when gem asks whether actions may be swapped
    #[arg(long, value_enum, default_value_t = VisibleName::All)]
    pub visible: VisibleName,
    /// Which interleavings are left out
    #[arg(long, value_enum, default_value_t = ReductionName::Both)]
    pub reduction: ReductionName,
    /// Which states a proof check does not visit because of others
    #[arg(long, value_enum, default_value_t = PruningName::Useless)]
    pub pruning: PruningName,
    /// Look for invariants of the reduced program before the first round?
    #[arg(long, value_enum, default_value_t = Seeding::Auto)]
    pub seed_invariants: Seeding,
    /// Strategies to prove single interleavings with, in this order
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        default_value = "path,linear,core,constants,horn"
    )]
    pub refine: Vec<StrategyName>,
    /// Which contradiction of an interleaving to learn from, where it has several
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = ContradictionName::First)]
    pub contradiction: ContradictionName,
    /// Write every query that reaches a solver to this directory, as SMT-LIB
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
    /// Let this SMT-LIB solver decide everything, instead of Braid's own and the linked Z3, for example "cvc5 --incremental"
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
}

impl Sequentialization {
    /// The engine with these options, but for its order and its seeds.
    pub fn gem(&self) -> Gem {
        let strategies = self.refine.iter().map(|&name| name.into()).collect();
        let solver = self.solver.as_ref().map_or_else(SolverOptions::default, SolverOptions::alone);
        Gem {
            commutativity: self.commutativity.into(),
            visible: self.visible.into(),
            reduction: self.reduction.into(),
            pruning: self.pruning.into(),
            prover: ProverOptions { strategies, contradiction: self.contradiction.into(), ..ProverOptions::default() },
            solver: SolverOptions { dump: self.dump_smt.clone(), ..solver },
            ..Gem::default()
        }
    }
}

/// When to look for invariants of the reduced program.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seeding {
    /// Where the order keeps threads in step
    Auto,
    /// Always
    On,
    /// Never
    Off,
}

names!(CommutativityName for CommutativityMode {
    /// None
    None => CommutativityMode::None,
    /// Those that touch different variables
    Syntactic => CommutativityMode::Syntactic,
    /// Those that the solver proves to commute
    Semantic => CommutativityMode::Semantic,
    /// Also those that commute under what is known to hold
    ProofSensitive => CommutativityMode::ProofSensitive,
});

names!(VisitsName for Visits {
    /// Those that the fewest steps lead to
    Breadth => Visits::Breadth,
    /// Those that few switches between threads lead to, depth first, and the oldest by turns
    Switches => Visits::Switches,
});

names!(ContradictionName for Contradiction {
    /// The one that is complete first
    First => Contradiction::First,
    /// The one that begins last
    Last => Contradiction::Last,
});

names!(VisibleName for Visible {
    /// All
    All => Visible::All,
    /// Those that the proof speaks of
    Proof => Visible::Proof,
});

names!(ReductionName for Reduction {
    /// None
    None => Reduction::None,
    /// All but the most preferred of equivalent ones, by sleep sets
    Sleep => Reduction::Sleep,
    /// Some, by persistent sets
    Persistent => Reduction::Persistent,
    /// Sleep sets and persistent sets
    Both => Reduction::Both,
});

names!(ChoiceName for Choice {
    /// Any
    Total => Choice::Total,
    /// Some before the others
    Partition => Choice::Partition,
});

names!(FixpointName for Fixpoint {
    /// By the largest sleep sets that leave something to prove
    Antichain => Fixpoint::Antichain,
    /// State by state
    Plain => Fixpoint::Plain,
});

names!(PruningName for Pruning {
    /// Those visited in the same round
    None => Pruning::None,
    /// Also those covered by a visited one
    Subsumption => Pruning::Subsumption,
    /// Also those from which an earlier round found nothing
    Useless => Pruning::Useless,
});

names!(StrategyName for Strategy {
    /// Unsatisfiable core and weakest preconditions
    Core => Strategy::Core,
    /// Farkas coefficients
    Linear => Strategy::Linear,
    /// As core, with the values put in that the interleaving itself fixes
    Constants => Strategy::Constants,
    /// Horn clauses
    Horn => Strategy::Horn,
    /// Invariants of the loops that the interleaving went through
    Path => Strategy::Path,
});

#[derive(Args, Clone, Copy, Debug)]
pub struct Lowering {
    /// Keep steps apart that no other thread can observe
    #[arg(long)]
    pub no_fuse: bool,
    /// Instances of a thread that is forked in a loop; by default 3, and under --timeout more when these violate nothing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub instances: Option<u32>,
    /// How deep calls of one procedure may nest; by default 3, and under --timeout more when these violate nothing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub recursion: Option<u32>,
}

names!(EngineName for Selection {
    /// Whatever suits the program
    Auto => Selection::Auto,
    /// Prove the interleavings that a preference order keeps
    Gem => Selection::Gem,
    /// Prove those that some reduction keeps, out of all sleep set reductions
    Weave => Selection::Weave,
    /// Visit abstract states, leaving out what does not matter there
    Cegar => Selection::Cegar,
    /// Check one thread at a time, and ask the others by need what they can do
    Modular => Selection::Modular,
    /// Look for bugs within few delays of a deterministic schedule
    Delay => Selection::Delay,
    /// Visit the reachable states one by one
    Explicit => Selection::Explicit,
    /// Prove for any number of threads, by facts about one thread and about two
    Parametric => Selection::Parametric,
    /// Prove by the order of locks that there is no deadlock
    Locks => Selection::Locks,
    // It has no automata, and does not get to other engines.
    /// Run the compiled C program under many schedules. This executes the program
    Run => Selection::Auto,
});

#[derive(Args, Debug)]
pub struct Print {
    /// The program: a .c, .i, .bpl, .wvr or .braid file, or - for C from standard input
    #[arg(required_unless_present = "compile_commands")]
    pub file: Option<PathBuf>,
    /// In which form
    #[arg(long = "as", value_enum, default_value_t = Form::Text)]
    pub form: Form,
    /// What is to be shown of a C program, as for `verify`: what is checked is part of the translation
    #[arg(long, value_name = "PROPERTY", default_value = "unreach-call")]
    pub property: String,
    #[command(flatten)]
    pub reading: CReading,
    #[command(flatten)]
    pub lowering: Lowering,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The program in its own language
    Text,
    /// Its automata as a graph for Graphviz
    Dot,
    /// Its automata as a list of threads, locations and actions
    Automata,
}

#[derive(Args, Debug)]
pub struct Sequentialize {
    /// The program: a .bpl, .c, .i or .braid file
    pub file: PathBuf,
    /// In which language
    #[arg(long = "as", value_enum, default_value_t = SequentialForm::Boogie)]
    pub form: SequentialForm,
    #[command(flatten)]
    pub delays: Delays,
    #[command(flatten)]
    pub reading: CReading,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequentialForm {
    /// Boogie
    Boogie,
    /// C, with arrays of 64 cells
    C,
    /// Braid's own language
    Braid,
}

/// How a certificate says why a program is safe.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertificateForm {
    /// As the engine has proven it
    Own,
    /// What holds at each location of each thread, with ghost variables
    OwickiGries,
}

#[derive(Args, Debug)]
#[command(after_help = "Exit status: 0 accepted, 1 refused, 2 wrong usage, 3 input rejected, 20 not known in time.")]
pub struct Check {
    /// The certificate
    pub certificate: PathBuf,
    /// The program
    pub file: PathBuf,
    /// Let this SMT-LIB solver decide instead of the linked Z3, for example "cvc5 --incremental"
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// Give up after this time: 60, 60s, 1.5m, 500ms, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Print nothing but the answer
    #[arg(long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct Replay {
    /// The program that the execution was found in
    pub file: PathBuf,
    /// The JSON that `braid verify --json` wrote
    pub result: PathBuf,
    /// Lead the compiled C program the same way, and say what it did. This executes the program
    #[arg(long)]
    pub run: bool,
    /// With --run: where a folder stays with all that it takes to build and run it again
    #[arg(long, value_name = "DIR", requires = "run")]
    pub keep: Option<PathBuf>,
    /// With --run: another C file of the program
    #[arg(long, value_name = "FILE", value_parser = parse_file, requires = "run")]
    pub also: Vec<PathBuf>,
    /// With --run: an option for the C compiler or linker
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, requires = "run")]
    pub cc_option: Vec<String>,
}
