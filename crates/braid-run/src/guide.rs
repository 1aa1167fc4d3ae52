//! A guide: who does what where, roughly.
pub struct Guide;
/// step
pub struct GuideStep;
/// value
pub struct Value;
impl Guide {
    pub(crate) fn text(&self, _lines: &[(u64, String, u32)]) -> String {
        String::new()
    }
}
