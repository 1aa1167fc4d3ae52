//! Which variables of the structured program hold the contents of C's variables with static storage, for those who look at
//! a program from outside.

use crate::c::translate::{ObjectKind, Place, Translator, elements};
use crate::c::tree::{Storage, VariableId};

impl Translator<'_, '_> {
    /// Scalars and arrays of scalars with static storage that the program uses, and their places.
    pub(crate) fn statics(&mut self) -> Vec<(VariableId, Place)> {
        let is_static = |id: &VariableId| !matches!(self.unit.variables[id.index()].storage, Storage::Local(_));
        let ids: Vec<VariableId> = (0..self.unit.variables.len() as u32).map(VariableId).filter(is_static).collect();
        ids.into_iter().filter_map(|id| Some((id, self.static_place(id)?))).collect()
    }

    fn static_place(&mut self, id: VariableId) -> Option<Place> {
        let object = self.points.objects.of(ObjectKind::Variable(id));
        let [leaf] = &self.points.objects.get(object).leaves[..] else { return None };
        if self.points.objects.get(object).in_bytes {
            return None;
        }
        let leaf = leaf.clone();
        if let Some(&variable) = self.cells.variables.get(&(None, object, 0, None)) {
            return Some(Place::Variable(variable));
        }
        let [dimension] = &leaf.dimensions[..] else { return None };
        let length = elements(&leaf.dimensions);
        if let Some(&variable) = self.cells.variables.get(&(None, object, 0, Some(u64::MAX))) {
            return Some(Place::Array { variable, first: 0, stride: 1, length });
        }
        let holds = |members: &Vec<_>| members.contains(&(object, 0));
        let key = *self.cells.members.iter().find(|(_, members)| holds(members))?.0;
        let variable = *self.cells.arrays.get(&key)?;
        if self.is_observed(object) {
            return None;
        }
        let first = self.base_address(object, Default::default()).ok()? + leaf.offset as i64;
        Some(Place::Array { variable, first, stride: dimension.stride as i64, length })
    }
}
