//! Reads the notation of a grammar on paper, recognises tokens by it, and writes texts by it.

use std::collections::HashMap;

/// What a rule may hold; rules and terminals are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Symbol {
    Rule(usize),
    Terminal(usize),
}

/// A grammar in plain productions: optional parts and repetitions have become rules of their own.
pub struct Grammar {
    names: Vec<String>,
    productions: Vec<Vec<Vec<Symbol>>>,
    /// Literals in quotes as they stand, others as `?` and their words.
    pub terminals: Vec<String>,
    nullable: Vec<bool>,
}

struct Reader<'t> {
    marks: std::iter::Peekable<std::vec::IntoIter<&'t str>>,
    grammar: Grammar,
    by_name: HashMap<String, usize>,
}

/// Cuts the notation into names, quoted and special texts, and signs; comments are left out.
fn marks(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '(' if rest.starts_with("(*") => rest.find("*)").expect("the end of a comment") + 2,
            '"' | '?' => rest[1..].find(c).expect("its other end") + 2,
            c if c.is_alphanumeric() => {
                rest.find(|c: char| !c.is_alphanumeric()).expect("an end of the rule")
            }
            _ => c.len_utf8(),
        };
        if !rest.starts_with("(*") {
            found.push(&rest[..end]);
        }
        rest = rest[end..].trim_start();
    }
    found
}

impl Reader<'_> {
    fn rule(&mut self, name: &str) -> usize {
        if let Some(&rule) = self.by_name.get(name) {
            return rule;
        }
        let rule = self.fresh(name);
        self.by_name.insert(name.to_owned(), rule);
        rule
    }

    fn fresh(&mut self, name: &str) -> usize {
        self.grammar.names.push(name.to_owned());
        self.grammar.productions.push(Vec::new());
        self.grammar.names.len() - 1
    }

    fn eat(&mut self, mark: &str) -> bool {
        self.marks.next_if(|m| *m == mark).is_some()
    }

    fn choice(&mut self) -> Vec<Vec<Symbol>> {
        let mut found = vec![self.sequence()];
        while self.eat("|") {
            found.push(self.sequence());
        }
        found
    }

    fn sequence(&mut self) -> Vec<Symbol> {
        let mut found = vec![self.part()];
        while self.eat(",") {
            found.push(self.part());
        }
        found
    }

    fn part(&mut self) -> Symbol {
        let mark = self.marks.next().expect("a part of a rule");
        let (end, repeats, optional) = match mark {
            "(" => (")", false, false),
            "[" => ("]", false, true),
            "{" => ("}", true, true),
            _ if mark.starts_with(['"', '?']) => {
                let text = if mark.starts_with('"') { mark.trim_matches('"') } else { mark };
                let known = self.grammar.terminals.iter().position(|t| t == text);
                return Symbol::Terminal(known.unwrap_or_else(|| {
                    self.grammar.terminals.push(text.to_owned());
                    self.grammar.terminals.len() - 1
                }));
            }
            _ => return Symbol::Rule(self.rule(mark)),
        };
        let group = self.fresh(mark);
        let mut choices = self.choice();
        assert!(self.eat(end), "a `{mark}` is not closed");
        if repeats {
            for choice in &mut choices {
                choice.insert(0, Symbol::Rule(group));
            }
        }
        if optional {
            choices.push(Vec::new());
        }
        self.grammar.productions[group] = choices;
        Symbol::Rule(group)
    }
}

impl Grammar {
    /// Reads a grammar, of which the first rule is the whole.
    pub fn read(text: &str) -> Grammar {
        let grammar = Grammar {
            names: Vec::new(),
            productions: Vec::new(),
            terminals: Vec::new(),
            nullable: Vec::new(),
        };
        let mut reader =
            Reader { marks: marks(text).into_iter().peekable(), grammar, by_name: HashMap::new() };
        while let Some(name) = reader.marks.next() {
            let rule = reader.rule(name);
            assert!(reader.grammar.productions[rule].is_empty(), "`{name}` has two rules");
            assert!(reader.eat("="), "`{name}` wants a `=`");
            let choices = reader.choice();
            assert!(reader.eat(";"), "the rule of `{name}` does not end");
            reader.grammar.productions[rule] = choices;
        }
        let mut grammar = reader.grammar;
        for (name, choices) in grammar.names.iter().zip(&grammar.productions) {
            assert!(!choices.is_empty(), "`{name}` has no rule");
        }
        grammar.nullable = vec![false; grammar.names.len()];
        loop {
            let is_empty = |choice: &Vec<Symbol>| {
                choice.iter().all(|s| matches!(s, Symbol::Rule(r) if grammar.nullable[*r]))
            };
            let now: Vec<bool> = grammar.productions.iter().map(|c| c.iter().any(is_empty)).collect();
            if now == grammar.nullable {
                return grammar;
            }
            grammar.nullable = now;
        }
    }

    /// Whether the grammar has a sequence of tokens, of which each fits some terminals: Earley's way.
    pub fn recognises(&self, tokens: &[Vec<usize>]) -> bool {
        // An item is a rule, one of its productions, how much of that is done, and where it began.
        type Item = (usize, usize, usize, usize);
        let mut sets: Vec<Vec<Item>> = vec![Vec::new(); tokens.len() + 1];
        // By position and rule, the items that wait for the rule there.
        let mut waiting: Vec<HashMap<usize, Vec<Item>>> = vec![HashMap::new(); tokens.len() + 1];
        let mut seen = std::collections::HashSet::new();
        sets[0].extend((0..self.productions[0].len()).map(|p| (0, p, 0, 0)));
        for at in 0..=tokens.len() {
            seen.clear();
            seen.extend(sets[at].iter().copied());
            let mut next = 0;
            while next < sets[at].len() {
                let (rule, production, done, origin) = sets[at][next];
                next += 1;
                let mut found: Vec<Item> = Vec::new();
                match self.productions[rule][production].get(done) {
                    None => {
                        let here = waiting[origin].get(&rule).into_iter().flatten();
                        found.extend(here.map(|&(r, p, d, o)| (r, p, d + 1, o)));
                    }
                    Some(Symbol::Terminal(t)) => {
                        if tokens.get(at).is_some_and(|fits| fits.contains(t)) {
                            sets[at + 1].push((rule, production, done + 1, origin));
                        }
                    }
                    Some(&Symbol::Rule(r)) => {
                        waiting[at].entry(r).or_default().push((rule, production, done, origin));
                        found.extend((0..self.productions[r].len()).map(|p| (r, p, 0, at)));
                        if self.nullable[r] {
                            found.push((rule, production, done + 1, origin));
                        }
                    }
                }
                sets[at].extend(found.into_iter().filter(|item| seen.insert(*item)));
            }
            if at < tokens.len() && sets[at + 1].is_empty() {
                return false;
            }
        }
        let whole = |&(rule, p, done, origin): &Item| {
            (rule, origin) == (0, 0) && done == self.productions[0][p].len()
        };
        sets[tokens.len()].iter().any(whole)
    }

    /// A sequence of terminals that the grammar has, chosen by numbers; when they run out, a short one.
    pub fn derive(&self, choices: &mut impl Iterator<Item = usize>) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![Symbol::Rule(0)];
        while let Some(symbol) = open.pop() {
            match symbol {
                Symbol::Terminal(t) => found.push(t),
                Symbol::Rule(r) => {
                    let productions = &self.productions[r];
                    // The last production of a repetition is the empty one, and of a rule, a simple one.
                    let chosen = choices.next().map_or(productions.len() - 1, |n| n % productions.len());
                    open.extend(productions[chosen].iter().rev());
                }
            }
        }
        found
    }
}

#[test]
fn ebnf_notation_is_parsed() {
    let grammar = Grammar::read("a = { b | \"(\" , a , \")\" } ; (* no rule *) b = \"x\" , [ ? any y ? ] ;");
    assert_eq!(grammar.terminals, ["(", ")", "x", "? any y ?"]);
    for (text, good) in
        [("", true), ("x", true), ("xy(x())xx", true), ("y", false), ("(x", false), ("(xx))", false)]
    {
        let tokens: Vec<Vec<usize>> = text.chars().map(|c| vec!["()xy".find(c).expect("a token")]).collect();
        assert_eq!(grammar.recognises(&tokens), good, "{text}");
    }
}
