//! Declarations: types, constants, functions, axioms, variables, procedures and implementations.

use super::Parser;
use crate::Diagnostic;
use crate::boogie::Read;
use crate::boogie::lex::TokenKind;
use crate::boogie::syntax::{
    Attribute, AttributeArgument, Body, Clause, Contract, Declaration, Function, Header, Parameter, TypeDeclaration,
    Variables,
};

const DECLARATIONS: [&str; 7] = ["type", "const", "function", "axiom", "var", "procedure", "implementation"];

impl Parser<'_, '_> {
    /// Adds the next declaration.
    pub(super) fn declaration(&mut self, read: &mut Vec<Declaration>) -> Read<()> {
        let start = self.peek();
        if start.kind != TokenKind::Word || !DECLARATIONS.contains(&start.text) {
            return Err(self.unknown_word(
                "a declaration should stand here: `type`, `const`, `function`, `axiom`, `var`, `procedure` or `implementation`",
                &DECLARATIONS,
            ));
        }
        self.next();
        let attributes = self.attributes()?;
        match start.text {
            "type" => self.types(read)?,
            "const" => {
                let unique = self.eat("unique");
                let names = self.names("the name of a constant")?;
                self.expect(":", "before the type")?;
                let variables = Variables { names, ty: self.ty()?, condition: None };
                if self.is("extends") || self.is("complete") {
                    return Err(self.unexpected("the order of constants, `extends`, is not supported"));
                }
                self.end_of_declaration()?;
                read.push(Declaration::Constants { unique, variables });
            }
            "function" => {
                let function = self.function(attributes)?;
                read.push(Declaration::Function(Box::new(function)));
            }
            "axiom" => {
                read.push(Declaration::Axiom(self.expr()?));
                self.end_of_declaration()?;
            }
            "var" => {
                read.push(Declaration::Globals(self.separated(Self::variables)?));
                self.end_of_declaration()?;
            }
            "procedure" => {
                let header = Box::new(self.header(attributes)?);
                let no_body = self.eat(";");
                let contract = self.contract()?;
                let body = if no_body { None } else { Some(self.body()?) };
                read.push(Declaration::Procedure { header, contract, body });
            }
            _ => {
                let header = Box::new(self.header(attributes)?);
                read.push(Declaration::Implementation { header, body: self.body()? });
            }
        }
        Ok(())
    }

    fn end_of_declaration(&mut self) -> Read<()> {
        self.expect(";", "behind the declaration").map(|_| ())
    }

    fn types(&mut self, read: &mut Vec<Declaration>) -> Read<()> {
        self.eat("finite");
        loop {
            let name = self.name("the name of a type")?;
            let mut parameters = Vec::new();
            while self.is_name() {
                parameters.push(self.name("the name of a type parameter")?);
            }
            let meaning = if self.eat("=") { Some(self.ty()?) } else { None };
            read.push(Declaration::Type(TypeDeclaration { name, parameters, meaning }));
            if !self.eat(",") {
                return self.end_of_declaration();
            }
        }
    }

    fn function(&mut self, attributes: Vec<Attribute>) -> Read<Function> {
        let name = self.name("the name of a function")?;
        let type_parameters = self.type_parameters()?;
        self.expect("(", "before the parameters")?;
        let parameters = if self.is(")") { Vec::new() } else { self.function_parameters()? };
        self.expect(")", "behind the parameters")?;
        let result = if self.eat(":") {
            self.ty()?
        } else {
            self.expect("returns", "before the type of the result")?;
            self.expect("(", "before the type of the result")?;
            let start = self.peek().span;
            let mut results = self.function_parameters()?;
            let result = results.pop().filter(|_| results.is_empty());
            let result = result.ok_or_else(|| Diagnostic::new(self.since(start), "a function has one result"))?;
            self.expect(")", "behind the type of the result")?;
            result.ty
        };
        let body = if self.eat("{") {
            let body = self.expr()?;
            self.expect("}", "behind the body")?;
            self.eat(";");
            Some(body)
        } else {
            self.end_of_declaration()?;
            None
        };
        Ok(Function { attributes, name, type_parameters, parameters, result, body })
    }

    /// `x: T, y: T`, or `x, y: T`, or types alone.
    fn function_parameters(&mut self) -> Read<Vec<Parameter>> {
        let mut read: Vec<Parameter> = Vec::new();
        // Words that are types, or else names whose type is still to come.
        let mut waiting = Vec::new();
        loop {
            self.attributes()?;
            let is_last_name = self.is_name() && self.ahead(1).text == ":";
            if is_last_name || self.is_name() && self.ahead(1).text == "," && self.names_a_group() {
                waiting.push(self.name("the name of a parameter")?);
                if self.eat(":") {
                    let ty = self.ty()?;
                    read.extend(waiting.drain(..).map(|name| Parameter { name: Some(name), ty: ty.clone() }));
                }
            } else {
                read.push(Parameter { name: None, ty: self.ty()? });
            }
            if !self.eat(",") {
                return Ok(read);
            }
        }
    }

    /// Do names with commas between them stand here, and then a colon?
    fn names_a_group(&self) -> bool {
        let mut ahead = 1;
        while self.ahead(ahead).text == "," && self.ahead(ahead + 1).kind == TokenKind::Word {
            ahead += 2;
        }
        self.ahead(ahead).text == ":"
    }

    /// `x, y: T where e`.
    pub(super) fn variables(&mut self) -> Read<Variables> {
        self.attributes()?;
        let names = self.names("the name of a variable")?;
        self.expect(":", "before the type")?;
        let ty = self.ty()?;
        let condition = if self.eat("where") { Some(self.expr()?) } else { None };
        Ok(Variables { names, ty, condition })
    }

    fn header(&mut self, attributes: Vec<Attribute>) -> Read<Header> {
        let name = self.name("the name of a procedure")?;
        let start = name.span;
        let type_parameters = self.type_parameters()?;
        let parameters = self.header_variables("behind the name")?;
        let results = if self.eat("returns") { self.header_variables("behind `returns`")? } else { Vec::new() };
        Ok(Header { attributes, name, type_parameters, parameters, results, span: self.since(start) })
    }

    fn header_variables(&mut self, place: &str) -> Read<Vec<Variables>> {
        self.expect("(", place)?;
        let read = if self.is(")") { Vec::new() } else { self.separated(Self::variables)? };
        self.expect(")", "behind the parameters")?;
        Ok(read)
    }

    fn contract(&mut self) -> Read<Contract> {
        let mut contract = Contract::default();
        loop {
            if self.eat("modifies") {
                if !self.is(";") {
                    contract.modifies.extend(self.names("the name of a global variable")?);
                }
                self.expect(";", "behind the clause")?;
                continue;
            }
            let free = self.is("free");
            let word = self.ahead(usize::from(free)).text;
            if !["requires", "ensures"].contains(&word) {
                return Ok(contract);
            }
            self.at += 1 + usize::from(free);
            self.attributes()?;
            let clause = Clause { free, formula: self.expr()? };
            self.expect(";", "behind the clause")?;
            if word == "requires" { contract.requires.push(clause) } else { contract.ensures.push(clause) }
        }
    }

    fn body(&mut self) -> Read<Body> {
        let start = self.expect("{", "before the body")?.span;
        let mut locals = Vec::new();
        while self.eat("var") {
            locals.extend(self.separated(Self::variables)?);
            self.end_of_declaration()?;
        }
        let statements = self.statements();
        self.expect("}", "behind the body")?;
        Ok(Body { locals, statements, span: self.since(start) })
    }

    pub(super) fn attributes(&mut self) -> Read<Vec<Attribute>> {
        let mut read = Vec::new();
        // Blanks may stand between the brace and the colon.
        while self.is("{:") || self.is("{") && self.ahead(1).text == ":" {
            let start = self.next().span;
            self.eat(":");
            let word = self.next();
            if !matches!(word.kind, TokenKind::Word | TokenKind::Escaped) {
                return Err(Diagnostic::new(word.span, "the name of an attribute should stand here"));
            }
            let mut arguments = Vec::new();
            while !self.is("}") {
                if !arguments.is_empty() {
                    self.expect(",", "between the arguments of the attribute")?;
                }
                arguments.push(if self.peek().kind == TokenKind::Text {
                    AttributeArgument::Text(self.next().text.trim_matches('"').to_owned())
                } else {
                    AttributeArgument::Expr(self.expr()?)
                });
            }
            self.expect("}", "behind the attribute")?;
            read.push(Attribute { name: word.text.to_owned(), arguments, span: self.since(start) });
        }
        Ok(read)
    }
}
