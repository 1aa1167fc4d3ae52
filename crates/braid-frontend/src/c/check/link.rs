//! Several files of one program, put together as a linker does it.
//!
//! Each file has a scope of its own. A name that is not `static` means the same in all files: what one file says of it is known in the others, and
//! what files say must fit together. Records that are the same in two files, member by member, are one type; this is found out when all files
//! have been read, before any body is looked at.

use super::*;

impl<'t> Checker<'t> {
    /// Reads what stands at file level in all files.
    pub(super) fn read_files(&mut self, files: &'t [Vec<External<'t>>]) {
        let mut first_records = Vec::new();
        for (number, externals) in files.iter().enumerate() {
            self.go_to(FIRST_FILE + number);
            first_records.push(self.records.len());
            externals.iter().for_each(|external| self.external(external));
            self.check_linkage();
        }
        self.go_to(FIRST_FILE);
        if files.len() > 1 {
            self.unite_records(&first_records);
            self.check_declared();
        }
    }

    fn go_to(&mut self, file: usize) {
        if file != self.file {
            self.rooms[self.file] = std::mem::take(&mut self.scopes);
            self.scopes = std::mem::take(&mut self.rooms[file]);
            self.file = file;
            self.inside_prelude = file == PRELUDE;
        }
    }

    /// Does something where names mean what they mean in a file.
    pub(super) fn in_file<T>(&mut self, file: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.file;
        self.go_to(file);
        let result = work(self);
        self.go_to(outer);
        result
    }

    pub(super) fn in_prelude<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.in_file(PRELUDE, work)
    }

    /// What a name means at the level of this file, or of all.
    pub(super) fn found(&self, name: &str) -> Option<Entity> {
        self.found_for(name, false)
    }

    /// The same for a declaration; `is_own`: it is this file's alone.
    pub(super) fn found_for(&self, name: &str, is_own: bool) -> Option<Entity> {
        let linked = || self.linked.get(name).filter(|_| !is_own && !self.inside_prelude);
        self.scopes.find_at_file_level(name).or_else(linked).cloned()
    }

    /// Is the name one of other files, that this one says something of for the first time?
    pub(super) fn is_linked(&self, name: &str) -> bool {
        self.scopes.find_at_file_level(name).is_none() && self.linked.contains_key(name) && !self.inside_prelude
    }

    /// A variable that the program only declares, and the prelude defines, is that one: both mean the same from now on.
    pub(super) fn adopt_variables(&mut self) {
        for (&name, entity) in &self.linked {
            let (Entity::Global(own), Some(&Entity::Global(model))) =
                (entity, self.rooms[PRELUDE].find_at_file_level(name))
            else {
                continue;
            };
            let is_declared = |index: usize| self.globals[index].variable.storage == Storage::Extern;
            if !is_declared(*own) || is_declared(model) || !self.public.contains(name) {
                continue;
            }
            self.globals[*own].value = self.globals[model].value;
            self.globals[*own].file = PRELUDE;
            self.globals[*own].variable.storage = self.globals[model].variable.storage;
            self.rooms[PRELUDE].declare_at_file_level(name, entity.clone());
        }
    }

    /// Lets other files know a name.
    pub(super) fn link(&mut self, name: &'t str, entity: Entity, is_own: bool) {
        let is_known_here = self.scopes.find_at_file_level(name).is_some();
        if self.inside_prelude && !is_own {
            self.public.insert(name);
        } else if !is_own && !is_known_here {
            self.linked.entry(name).or_insert(entity);
        }
    }

    /// Notes what another file says of a variable.
    pub(super) fn note_global(&mut self, index: usize, new: &Variable, has_value: bool, span: Span) {
        self.declared.push((Entity::Global(index), new.ty.ty.clone(), span));
        let known = &self.globals[index];
        if has_value && known.value.is_some() {
            self.defined_twice(known.variable.name.clone(), known.variable.span, span);
        }
    }

    /// A function is defined: nobody else may have done so, unless it is one of a header.
    pub(super) fn note_definition(&mut self, index: usize, span: Span) {
        let known = &self.functions[index];
        if known.definition.is_some() && known.file != self.file && known.span != span {
            self.defined_twice(known.name.to_owned(), known.span, span);
        }
    }

    fn defined_twice(&mut self, name: String, first: Span, second: Span) {
        self.link_errors.push(Diagnostic::new(first, format!("`{name}` is defined here, and in another file")));
        self.link_errors.push(Diagnostic::new(second, format!("`{name}` is defined in another file, and here")));
    }

    /// What files say of one name must fit together.
    fn check_declared(&mut self) {
        for (entity, ty, span) in std::mem::take(&mut self.declared) {
            let (name, known, first) = match entity {
                Entity::Global(index) => {
                    let Variable { name, ty, span, .. } = &self.globals[index].variable;
                    (name.clone(), ty.ty.clone(), *span)
                }
                Entity::Function(index) => {
                    let GlobalFunction { name, ty, span, .. } = &self.functions[index];
                    ((*name).to_owned(), Type::Function(Box::new(ty.clone())), *span)
                }
                _ => continue,
            };
            if !compatible(&known, &ty) {
                let other = self.show(&ty);
                let message = format!("`{name}` is declared with another type in another file, `{other}`");
                self.link_errors.push(Diagnostic::new(first, message));
                self.link_errors.push(Diagnostic::new(span, format!("`{name}` has another type here")));
            }
        }
    }

    /// Makes records of different files one that are the same.
    fn unite_records(&mut self, first_of_file: &[usize]) {
        let file_of = |id: usize| first_of_file.partition_point(|&first| first <= id);
        let mut same: Vec<RecordId> = (0..self.records.len() as u32).map(RecordId).collect();
        let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (id, record) in self.records.iter().enumerate().filter(|(_, record)| !is_anonymous(record)) {
            let earlier = by_name.entry(&record.name).or_default();
            let mut others = earlier.iter().filter(|&&other| file_of(other) != file_of(id));
            let found = others.find_map(|&other| {
                let mut pairs = Vec::new();
                let (a, b) = (RecordId(other as u32), RecordId(id as u32));
                same_record(&self.records, a, b, &mut pairs).then_some(pairs)
            });
            for (a, b) in found.into_iter().flatten() {
                let (a, b) = (root(&same, a), root(&same, b));
                // What is complete stands for what is not.
                let (from, to) = if self.records[a.index()].complete { (b, a) } else { (a, b) };
                same[from.index()] = to;
            }
            earlier.push(id);
        }
        let rename = |id: RecordId| root(&same, id);
        self.records.iter_mut().flat_map(|record| &mut record.fields).for_each(|field| field.ty.ty.rename(&rename));
        self.globals.iter_mut().for_each(|global| global.variable.ty.ty.rename(&rename));
        self.variables.iter_mut().for_each(|variable| variable.ty.ty.rename(&rename));
        for function in &mut self.functions {
            function.ty.rename(&rename);
        }
        self.declared.iter_mut().for_each(|(_, ty, _)| ty.rename(&rename));
        self.scopes.rename(&rename);
        self.rooms.iter_mut().for_each(|scopes| scopes.rename(&rename));
        self.transparent = self.transparent.iter().map(|&id| rename(id)).collect();
    }
}

fn root(same: &[RecordId], id: RecordId) -> RecordId {
    let mut id = id;
    while same[id.index()] != id {
        id = same[id.index()];
    }
    id
}

fn is_anonymous(record: &Record) -> bool {
    record.name.starts_with("anonymous")
}

/// Are two records the same, if those of the pairs are? Adds all pairs that are then.
fn same_record(records: &[Record], a: RecordId, b: RecordId, pairs: &mut Vec<(RecordId, RecordId)>) -> bool {
    if a == b || pairs.contains(&(a, b)) {
        return true;
    }
    let (left, right) = (&records[a.index()], &records[b.index()]);
    if left.is_union != right.is_union || left.name != right.name && !(is_anonymous(left) && is_anonymous(right)) {
        return false;
    }
    pairs.push((a, b));
    let is_open = !left.complete || !right.complete;
    let same_field = |(x, y): (&Field, &Field), pairs: &mut Vec<_>| {
        let shape = |field: &Field| (field.offset, field.bit_offset, field.bit_width);
        x.name == y.name && shape(x) == shape(y) && same_type(records, &x.ty.ty, &y.ty.ty, pairs)
    };
    is_open
        || left.size == right.size
            && left.fields.len() == right.fields.len()
            && left.fields.iter().zip(&right.fields).all(|both| same_field(both, pairs))
}

fn same_type(records: &[Record], a: &Type, b: &Type, pairs: &mut Vec<(RecordId, RecordId)>) -> bool {
    match (a, b) {
        (Type::Record(a), Type::Record(b)) => same_record(records, *a, *b, pairs),
        (Type::Pointer(a), Type::Pointer(b)) => same_type(records, &a.ty, &b.ty, pairs),
        (Type::Array(a, m), Type::Array(b, n)) => m == n && same_type(records, &a.ty, &b.ty, pairs),
        (Type::Function(a), Type::Function(b)) => {
            a.parameters.len() == b.parameters.len()
                && same_type(records, &a.result, &b.result, pairs)
                && a.parameters.iter().zip(&b.parameters).all(|(a, b)| same_type(records, a, b, pairs))
        }
        _ => a == b,
    }
}
