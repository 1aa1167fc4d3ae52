//! The schedulers DF(K) and DFW(K) (paper 3, Section 3): which task runs next.
//!
//! A state is the ordered tree of tasks; the children of a task are those that it started, in that order. Each task has a status and
//! a round. The task that runs is the first in depth-first order among the ready ones of the least round, so without delays there is
//! one schedule. A delay moves it to the next round.
//!
//! DFW knows what tasks wait for: a task that waits is not run before it can go on, nor before all that it started has done its
//! part of the round. Under DF a task that cannot go on is in the way until it is delayed.

use braid_program::Scheduler;
use braid_program::cfa::ThreadId;

/// A task of the tree: an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TaskId(u32);

impl TaskId {
    /// The task that runs first.
    pub const ROOT: TaskId = TaskId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a task is about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It can be selected.
    Ready,
    /// It waits for the end of these threads (none: it was delayed, and waits for its turn in the new round).
    Waiting(Vec<ThreadId>),
    /// It has ended.
    Completed,
}

/// A vertex ⟨status, round, posted⟩ of the tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Vertex {
    thread: ThreadId,
    parent: Option<TaskId>,
    children: Vec<TaskId>,
    status: Status,
    round: u32,
    /// How many of its last children it has started since it last waited.
    posted: u32,
    /// The threads whose end it has waited for, when it may go on.
    passed: Option<Vec<ThreadId>>,
}

/// A state of the scheduler.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TaskTree {
    scheduler: Scheduler,
    vertices: Vec<Vertex>,
    /// The tasks that were removed, whose places can be used again.
    free: Vec<TaskId>,
    /// The newest task of each thread.
    newest: Vec<Option<TaskId>>,
}

impl TaskTree {
    /// The root task alone, in round 0.
    pub fn new(scheduler: Scheduler, threads: usize) -> TaskTree {
        let mut tree =
            TaskTree { scheduler, vertices: Vec::new(), free: Vec::new(), newest: vec![None; threads.max(1)] };
        tree.add(ThreadId::MAIN, None, 0);
        tree
    }

    fn add(&mut self, thread: ThreadId, parent: Option<TaskId>, round: u32) -> TaskId {
        let vertex =
            Vertex { thread, parent, children: Vec::new(), status: Status::Ready, round, posted: 0, passed: None };
        let id = match self.free.pop() {
            Some(id) => {
                self.vertices[id.index()] = vertex;
                id
            }
            None => {
                self.vertices.push(vertex);
                TaskId(self.vertices.len() as u32 - 1)
            }
        };
        self.newest[thread.index()] = Some(id);
        id
    }

    fn vertex(&self, task: TaskId) -> &Vertex {
        &self.vertices[task.index()]
    }

    fn vertex_mut(&mut self, task: TaskId) -> &mut Vertex {
        &mut self.vertices[task.index()]
    }

    /// The thread that runs a task.
    pub fn thread(&self, task: TaskId) -> ThreadId {
        self.vertex(task).thread
    }

    /// The round that a task is in.
    pub fn round(&self, task: TaskId) -> u32 {
        self.vertex(task).round
    }

    /// The threads whose end the task has waited for, and that it goes on behind. Only DFW says so.
    pub fn passed(&self, task: TaskId) -> Option<&[ThreadId]> {
        self.vertex(task).passed.as_deref()
    }

    /// Which scheduler it is a state of.
    pub fn scheduler(&self) -> Scheduler {
        self.scheduler
    }

    /// All tasks in depth-first order, parents before children.
    fn depth_first(&self) -> Vec<TaskId> {
        let (mut order, mut todo) = (Vec::new(), vec![TaskId::ROOT]);
        while let Some(task) = todo.pop() {
            order.push(task);
            todo.extend(self.vertex(task).children.iter().rev());
        }
        order
    }

    /// π: the first in depth-first order of the ready tasks of the least round.
    pub fn selected(&self) -> Option<TaskId> {
        let ready = self.depth_first().into_iter().filter(|&task| self.vertex(task).status == Status::Ready);
        // Of equal minima the first one is taken.
        ready.min_by_key(|&task| self.vertex(task).round)
    }

    /// Have all tasks ended?
    pub fn is_final(&self) -> bool {
        self.depth_first().into_iter().all(|task| self.vertex(task).status == Status::Completed)
    }

    /// δ for ASYNC: the task starts a thread, which becomes its rightmost child in the same round.
    pub fn start(&mut self, task: TaskId, thread: ThreadId) -> TaskId {
        let round = self.round(task);
        let child = self.add(thread, Some(task), round);
        let vertex = self.vertex_mut(task);
        vertex.children.push(child);
        vertex.posted += 1;
        child
    }

    /// δ for WAIT: the task has come to a place where it waits for the end of threads. Under DF nothing happens.
    pub fn wait(&mut self, task: TaskId, threads: Vec<ThreadId>) {
        if self.scheduler == Scheduler::Dfw {
            let vertex = self.vertex_mut(task);
            vertex.status = Status::Waiting(threads);
            vertex.posted = 0;
            self.wake();
        }
    }

    /// The task has gone on behind the end of threads: those of them that started nothing are of no interest any more.
    pub fn go_on(&mut self, task: TaskId, threads: &[ThreadId]) {
        self.vertex_mut(task).passed = None;
        for thread in threads {
            let Some(child) = self.newest[thread.index()].take() else { continue };
            self.remove(child);
        }
    }

    /// Removes a completed task without children.
    fn remove(&mut self, task: TaskId) {
        let vertex = self.vertex(task);
        let (Some(parent), true, &Status::Completed) = (vertex.parent, vertex.children.is_empty(), &vertex.status)
        else {
            return;
        };
        let above = self.vertex_mut(parent);
        let Some(place) = above.children.iter().position(|&child| child == task) else { return };
        let from_right = above.children.len() - 1 - place;
        above.children.remove(place);
        if from_right < above.posted as usize {
            above.posted -= 1;
        }
        self.free.push(task);
    }

    /// δ for COMPLETE.
    pub fn complete(&mut self, task: TaskId) {
        self.vertex_mut(task).status = Status::Completed;
        self.wake();
    }

    /// δ for ε: the selected task goes to the next round.
    pub fn delay(&mut self, task: TaskId) {
        let waits = self.scheduler == Scheduler::Dfw;
        let vertex = self.vertex_mut(task);
        vertex.round += 1;
        if waits {
            vertex.status = Status::Waiting(Vec::new());
            self.wake();
        }
    }

    /// The function f of DFW: waiting tasks become ready. A task becomes ready in round `r`, the greater of its own and the one in
    /// which what it waited for ended, if of all that it started only what it started since it last waited has anything left
    /// to do in round `r`. Children are looked at before their parents: who comes to round `r` has something to do there.
    fn wake(&mut self) {
        loop {
            let mut changed = false;
            for task in self.depth_first().into_iter().rev() {
                let Status::Waiting(threads) = &self.vertex(task).status else { continue };
                let Some(round) = self.resumes_in(task, threads) else { continue };
                if self.has_older_work(task, round) {
                    continue;
                }
                let vertex = self.vertex_mut(task);
                if let Status::Waiting(threads) = std::mem::replace(&mut vertex.status, Status::Ready)
                    && !threads.is_empty()
                {
                    vertex.passed = Some(threads);
                }
                vertex.round = round;
                changed = true;
            }
            if !changed {
                return;
            }
        }
    }

    /// The round in which a task goes on, if all that it waits for has ended.
    fn resumes_in(&self, task: TaskId, threads: &[ThreadId]) -> Option<u32> {
        let mut round = self.round(task);
        for thread in threads {
            let awaited = self.newest[thread.index()]?;
            if self.vertex(awaited).status != Status::Completed {
                return None;
            }
            round = round.max(self.round(awaited));
        }
        Some(round)
    }

    /// Has anything that the task started before it last waited something to do in a round?
    fn has_older_work(&self, task: TaskId, round: u32) -> bool {
        let vertex = self.vertex(task);
        let older = vertex.children.len().saturating_sub(vertex.posted as usize);
        let mut todo: Vec<TaskId> = vertex.children[..older].to_vec();
        while let Some(below) = todo.pop() {
            let below = self.vertex(below);
            if below.status != Status::Completed && below.round == round {
                return true;
            }
            todo.extend(&below.children);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(tree: &TaskTree) -> Option<u32> {
        tree.selected().map(|task| tree.thread(task).0)
    }

    fn select(tree: &TaskTree) -> TaskId {
        tree.selected().expect("a task is ready")
    }

    #[test]
    fn depth_first_order_of_the_least_round() {
        let mut tree = TaskTree::new(Scheduler::Df, 4);
        tree.start(TaskId::ROOT, ThreadId(1));
        tree.start(TaskId::ROOT, ThreadId(2));
        assert_eq!(threads(&tree), Some(0));
        tree.delay(TaskId::ROOT);
        assert_eq!(threads(&tree), Some(1));
        let first = select(&tree);
        tree.start(first, ThreadId(3));
        tree.complete(first);
        assert_eq!(threads(&tree), Some(3));
        tree.complete(select(&tree));
        assert_eq!(threads(&tree), Some(2));
        tree.complete(select(&tree));
        assert_eq!(threads(&tree), Some(0), "round 1");
        tree.complete(TaskId::ROOT);
        assert!(tree.selected().is_none() && tree.is_final());
    }

    #[test]
    fn a_waiting_task_is_not_in_the_way_under_dfw() {
        let mut tree = TaskTree::new(Scheduler::Dfw, 3);
        tree.start(TaskId::ROOT, ThreadId(1));
        tree.start(TaskId::ROOT, ThreadId(2));
        tree.wait(TaskId::ROOT, vec![ThreadId(1)]);
        assert_eq!(threads(&tree), Some(1));
        tree.complete(select(&tree));
        assert_eq!(threads(&tree), Some(2), "before a wait all that was started does its part of the round");
        tree.delay(select(&tree));
        assert_eq!(threads(&tree), Some(0));
        assert_eq!(tree.passed(TaskId::ROOT), Some(&[ThreadId(1)][..]));
    }

    #[test]
    fn a_task_goes_on_in_the_round_of_what_it_waited_for() {
        let mut tree = TaskTree::new(Scheduler::Dfw, 2);
        tree.start(TaskId::ROOT, ThreadId(1));
        tree.wait(TaskId::ROOT, vec![ThreadId(1)]);
        tree.delay(select(&tree));
        tree.complete(select(&tree));
        assert_eq!((threads(&tree), tree.round(TaskId::ROOT)), (Some(0), 1));
    }
}
