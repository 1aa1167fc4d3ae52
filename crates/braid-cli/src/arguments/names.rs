//! Enumerations of other crates as values on the command line.

/// Names on the command line for the values of an enumeration elsewhere.
macro_rules! names {
    ($name:ident for $target:ty { $($(#[doc = $doc:literal])* $value:ident => $meaning:path,)* }) => {
        /// A value of the option.
        #[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[doc = $doc])* $value,)* }

        impl From<$name> for $target {
            fn from(name: $name) -> $target {
                match name { $($name::$value => $meaning,)* }
            }
        }
    };
}
