//! Axes: where a value is drawn, and which values are named.

/// How values spread over an axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Linear,
    /// Each power of ten takes as much space.
    Logarithmic,
}

/// An axis: values from `low` to `high` are drawn from `start` to `end`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    pub kind: Kind,
    pub low: f64,
    pub high: f64,
    pub start: f64,
    pub end: f64,
}

/// Below this a time is not told apart, in seconds.
pub const SHORTEST: f64 = 0.01;

impl Scale {
    /// An axis for times up to `longest`, with whole powers of ten below.
    pub fn of_times(times: impl IntoIterator<Item = f64>, longest: f64, (start, end): (f64, f64)) -> Scale {
        let shortest = times.into_iter().fold(longest, f64::min).max(SHORTEST);
        let low = 10f64.powf(shortest.log10().floor());
        Scale { kind: Kind::Logarithmic, low, high: longest.max(low * 10.0), start, end }
    }

    /// An axis for numbers.
    pub fn linear(low: f64, high: f64, (start, end): (f64, f64)) -> Scale {
        Scale { kind: Kind::Linear, low, high: high.max(low + 1.0), start, end }
    }

    /// Where a value is drawn. Values outside are drawn at the ends.
    pub fn place(&self, value: f64) -> f64 {
        let share = match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            Kind::Logarithmic => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
        };
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// The values that are named.
    pub fn ticks(&self) -> Vec<f64> {
        match self.kind {
            Kind::Logarithmic => {
                let first = self.low.log10().round() as i32;
                let powers = (first..).map(|power| 10f64.powi(power)).take_while(|&tick| tick <= self.high * 1.000_1);
                // Few names say little.
                let between = |power: f64| [power, 2.0 * power, 5.0 * power];
                let powers: Vec<f64> = powers.collect();
                match powers.len() {
                    0..=2 => powers.into_iter().flat_map(between).filter(|&tick| tick <= self.high).collect(),
                    _ => powers,
                }
            }
            Kind::Linear => {
                let step = step((self.high - self.low) / 5.0);
                let first = (self.low / step).ceil() as i64;
                (first..).map(|number| number as f64 * step).take_while(|&tick| tick <= self.high).collect()
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten: the least of them that is not below `least`, and not below 1.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|&step| step >= least).unwrap_or(power)
}

/// A value as people write it.
pub fn label(value: f64) -> String {
    match value {
        value if value.fract().abs() < 1e-9 => format!("{value:.0}"),
        value => format!("{value:.3}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let scale = Scale::of_times([0.05, 3.0], 60.0, (100.0, 0.0));
        assert_eq!((scale.low, scale.high), (0.01, 60.0));
        assert_eq!((scale.place(0.01), scale.place(0.0001), scale.place(60.0)), (100.0, 100.0, 0.0));
        let labels = |scale: Scale| scale.ticks().into_iter().map(label).collect::<Vec<_>>();
        assert_eq!(labels(scale), ["0.01", "0.1", "1", "10"]);
        assert_eq!(labels(Scale::of_times([20.0], 900.0, (0.0, 1.0))), ["10", "20", "50", "100", "200", "500"]);
        let decades = Scale::of_times([0.01], 100.0, (0.0, 100.0));
        assert!((decades.place(1.0) - 50.0).abs() < 1e-9);
        assert_eq!(labels(decades), ["0.01", "0.1", "1", "10", "100"]);
    }

    #[test]
    fn numbers() {
        let labels =
            |low, high| Scale::linear(low, high, (0.0, 1.0)).ticks().into_iter().map(label).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 37.0), ["0", "10", "20", "30"]);
        assert_eq!(labels(-48.0, 20.0), ["-40", "-20", "0", "20"]);
        assert_eq!(labels(0.0, 0.0), ["0", "1"]);
        assert_eq!(labels(0.0, 1000.0), ["0", "200", "400", "600", "800", "1000"]);
    }
}
