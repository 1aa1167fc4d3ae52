//! What names mean, scope by scope.

use super::*;

/// What an ordinary name means.
#[derive(Clone, Debug)]
pub enum Entity {
    /// With the alignment that it asks for.
    Typedef(Qualified, Option<u64>),
    /// A variable of a function.
    Local(VariableId),
    /// An index into the checker's variables at file level.
    Global(usize),
    /// An index into the checker's functions.
    Function(usize),
    /// An enumeration constant.
    Constant(i128, Type),
    /// Its declaration could not be understood: reported if the program uses it.
    Broken(Vec<Diagnostic>),
}

/// What a tag means.
#[derive(Clone, Debug)]
pub enum Tag {
    Record(RecordId),
    Enum(Type),
}

#[derive(Default)]
pub struct Scope<'t> {
    names: FxHashMap<&'t str, Entity>,
    tags: FxHashMap<&'t str, Tag>,
}

/// The scopes around the current place; the first is the file's.
pub struct Scopes<'t> {
    scopes: Vec<Scope<'t>>,
}

impl Default for Scopes<'_> {
    fn default() -> Self {
        let mut scopes = Scopes { scopes: vec![Scope::default()] };
        scopes.declare("__builtin_va_list", Entity::Typedef(plain(variadic::LIST), None));
        scopes
    }
}

impl<'t> Scopes<'t> {
    pub fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub fn leave(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    /// Hides all but the file's scope, until they are put back.
    pub fn take_inner(&mut self) -> Vec<Scope<'t>> {
        self.scopes.split_off(1)
    }

    pub fn put_back(&mut self, inner: Vec<Scope<'t>>) {
        self.scopes.truncate(1);
        self.scopes.extend(inner);
    }

    pub fn declare(&mut self, name: &'t str, entity: Entity) {
        self.scopes.last_mut().expect("the file's scope is never left").names.insert(name, entity);
    }

    pub fn declare_at_file_level(&mut self, name: &'t str, entity: Entity) {
        self.scopes[0].names.insert(name, entity);
    }

    pub fn declare_tag(&mut self, name: &'t str, tag: Tag) {
        self.scopes.last_mut().expect("the file's scope is never left").tags.insert(name, tag);
    }

    pub fn find(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name))
    }

    pub fn find_at_file_level(&self, name: &str) -> Option<&Entity> {
        self.scopes[0].names.get(name)
    }

    pub fn find_tag(&self, name: &str) -> Option<&Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name))
    }

    /// The tags of the file's scope.
    pub fn tags(&self) -> impl Iterator<Item = (&&'t str, &Tag)> {
        self.scopes[0].tags.iter()
    }

    /// Only in the innermost scope: a definition there is a new type otherwise.
    pub fn find_tag_here(&self, name: &str) -> Option<&Tag> {
        self.scopes.last().and_then(|scope| scope.tags.get(name))
    }

    /// Gives records other numbers.
    pub fn rename(&mut self, rename: &impl Fn(RecordId) -> RecordId) {
        for scope in &mut self.scopes {
            for entity in scope.names.values_mut() {
                if let Entity::Typedef(ty, _) = entity {
                    ty.ty.rename(rename);
                }
            }
            for tag in scope.tags.values_mut() {
                if let Tag::Record(id) = tag {
                    *id = rename(*id);
                }
            }
        }
    }
}
