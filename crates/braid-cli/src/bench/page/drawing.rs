//! Plots as SVG. Colours and letters are those of the page.

use super::plots::{Dot, Mark, Point};
use super::scale::{Scale, label};
use crate::formats::junit::escaped;
use std::fmt::Write;

/// The size of a plot, and the space for its axes.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 330.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

/// Where the axes begin and end.
const ACROSS: (f64, f64) = (LEFT, WIDTH - RIGHT);
const UP: (f64, f64) = (HEIGHT - BOTTOM, TOP);

/// A line of a plot, with the number of its colour.
pub struct Line {
    pub name: String,
    pub colour: usize,
    pub points: Vec<Point>,
}

/// A plot with lines: times upwards, up to `limit` seconds at least.
pub fn lines(title: &str, across: &str, lines: &[Line], limit: f64) -> String {
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let longest = points().map(|point| point.1).fold(limit, f64::max);
    let low = points().map(|point| point.0).fold(0.0, f64::min);
    let x = Scale::linear(low, points().map(|point| point.0).fold(1.0, f64::max), ACROSS);
    let y = Scale::of_times(points().map(|point| point.1), longest, UP);
    let mut out = opening(title) + &grid(&x, &y, f64::MAX) + &names(across, "processor time in s");
    if x.low < 0.0 {
        let zero = x.place(0.0);
        let _ =
            writeln!(out, "<line class=\"zero\" x1=\"{zero:.1}\" x2=\"{zero:.1}\" y1=\"{}\" y2=\"{}\"/>", UP.0, UP.1);
    }
    for line in lines {
        let places = line.points.iter().map(|&(across, up)| (x.place(across), y.place(up)));
        let path: Vec<String> = places.clone().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(out, "<g class=\"c{}\"><title>{}</title>", line.colour, escaped(&line.name));
        let _ = writeln!(out, "<polyline class=\"line\" points=\"{}\"/>", path.join(" "));
        // A mark for each of few points, so that a line of one point is seen.
        if line.points.len() <= 60 {
            for (x, y) in places {
                let _ = write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\"/>");
            }
        }
        out += "</g>\n";
    }
    out + "</svg>\n"
}

/// A plot of tasks with two configurations. What is not solved is drawn at the edges.
pub fn scatter(title: &str, (across, up): (&str, &str), dots: &[Dot], limit: f64) -> String {
    let times = || dots.iter().flat_map(|dot| dot.x.into_iter().chain(dot.y));
    let longest = times().fold(limit, f64::max);
    // Beyond the longest time there is room for what has none.
    let edge = longest * 2.0;
    let of = |ends| Scale { high: edge, ..Scale::of_times(times(), longest, ends) };
    let (x, y) = (of(ACROSS), of(UP));
    let mut out = opening(title) + &grid(&x, &y, longest) + &names(&format!("{across}: s"), &format!("{up}: s"));
    let (left, bottom, right, top) = (ACROSS.0, UP.0, ACROSS.1, UP.1);
    for (factor, class) in [(1.0, "zero"), (10.0, "factor"), (0.1, "factor")] {
        let (first, last) = (x.low.max(x.low / factor), longest.min(longest / factor));
        if first < last {
            let [x1, x2] = [first, last].map(|time| x.place(time));
            let [y1, y2] = [first, last].map(|time| y.place(time * factor));
            let _ =
                writeln!(out, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
        }
    }
    let (end_x, end_y) = (x.place(longest), y.place(longest));
    let _ = writeln!(
        out,
        "<path class=\"limit\" d=\"M{end_x:.1},{bottom}V{top}M{left},{end_y:.1}H{right}\"/>\n\
         <text x=\"{right}\" y=\"{}\" text-anchor=\"end\">none</text>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">none</text>",
        bottom + 16.0,
        left - 6.0,
        top + 4.0,
    );
    for dot in dots {
        let (px, py) = (x.place(dot.x.unwrap_or(edge)), y.place(dot.y.unwrap_or(edge)));
        let title = escaped(&dot.label);
        let _ = match dot.mark {
            Mark::Wrong => writeln!(
                out,
                "<path class=\"wrong\" d=\"M{:.1},{:.1}l8,8m0,-8l-8,8\"><title>{title}</title></path>",
                px - 4.0,
                py - 4.0
            ),
            Mark::True => writeln!(
                out,
                "<circle class=\"true\" cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\"><title>{title}</title></circle>"
            ),
            Mark::False => writeln!(
                out,
                "<rect class=\"false\" x=\"{:.1}\" y=\"{:.1}\" width=\"6\" height=\"6\"><title>{title}</title></rect>",
                px - 3.0,
                py - 3.0
            ),
        };
    }
    out + "</svg>\n"
}

fn opening(title: &str) -> String {
    let title = escaped(title);
    format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n")
}

/// Lines at the values that are named, up to the last one that means something, and their names.
fn grid(x: &Scale, y: &Scale, last: f64) -> String {
    let mut out = String::new();
    for tick in x.ticks().into_iter().filter(|&tick| tick <= last) {
        let place = x.place(tick);
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{place:.1}\" x2=\"{place:.1}\" y1=\"{}\" y2=\"{}\"/>\
             <text x=\"{place:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            UP.0,
            UP.1,
            UP.0 + 16.0,
            label(tick)
        );
    }
    for tick in y.ticks().into_iter().filter(|&tick| tick <= last) {
        let place = y.place(tick);
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{place:.1}\" y2=\"{place:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            ACROSS.0,
            ACROSS.1,
            ACROSS.0 - 6.0,
            place + 4.0,
            label(tick)
        );
    }
    out
}

/// What the axes mean.
fn names(across: &str, up: &str) -> String {
    let (middle_x, middle_y) = ((ACROSS.0 + ACROSS.1) / 2.0, (UP.0 + UP.1) / 2.0);
    format!(
        "<text class=\"axis\" x=\"{middle_x}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text class=\"axis\" transform=\"translate(13,{middle_y}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        HEIGHT - 8.0,
        escaped(across),
        escaped(up)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(svg: &str, element: &str, name: &str) -> Vec<String> {
        let tree = roxmltree::Document::parse(svg).expect("XML");
        let nodes = tree.descendants().filter(|node| node.has_tag_name(element));
        nodes.filter_map(|node| node.attribute(name).map(str::to_owned)).collect()
    }

    #[test]
    fn points_are_where_they_belong() {
        let line = Line { name: "<a>".into(), colour: 1, points: vec![(0.0, 0.01), (10.0, 100.0)] };
        let svg = lines("t", "n", &[line], 100.0);
        assert_eq!(attribute(&svg, "polyline", "points"), ["56.0,286.0 426.0,12.0"]);
        let dots = [
            Dot { x: Some(0.01), y: Some(0.01), mark: Mark::True, label: "a & b".into() },
            Dot { x: None, y: Some(0.01), mark: Mark::True, label: "c".into() },
        ];
        let svg = scatter("t", ("x", "y"), &dots, 100.0);
        assert_eq!(attribute(&svg, "circle", "cx"), ["56.0", "426.0"]);
        assert_eq!(attribute(&svg, "circle", "cy"), ["286.0", "286.0"]);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        for svg in [lines("t", "n", &[], 60.0), scatter("t", ("x", "y"), &[], 60.0)] {
            assert!(roxmltree::Document::parse(&svg).is_ok() && !svg.contains("NaN"), "{svg}");
        }
    }
}
