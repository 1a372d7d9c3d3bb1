/** Defects that the three systems have, numbered here; what is said is what happens instead. */
import type { Behaviours } from '../behaviour.ts'

/** G1 … G28. */
export const defectBehaviours: Behaviours = {
  G1: 'The late result of a former owner is refused together with its status; the good result stays.',
  G2: 'Work that stood still when its runner died is recovered.',
  G3: 'A limit by key holds also for what is registered and claimed in one batch.',
  G4: 'Work that stands still keeps its permit.',
  G5: 'Work that finds no room on its way out of RETRY gets in line, and its runner goes on.',
  G6: 'With the default settings five runners and more each have a slot for the chores.',
  G7: 'A process that lives long keeps two runs of one workflow apart.',
  G8: 'A step that takes its runner down each time is taken out of circulation.',
  G9: 'One invocation that moved meanwhile does not stop the recovery of the others.',
  G10: 'However many runners there are, no slot of a schedule is lost.',
  G11: 'Why nobody takes a piece of work is told while it waits.',
  G12: 'What was claimed and never begun is told from what runs, and comes to an end.',
  G13: 'A timeout stops the work and leaves a dead letter.',
  G14: 'A runner that comes is offered what waits for it, however long it has waited.',
  G15: 'Work in line stands still in it, without going round through the queue.',
  G16: 'Work that waits for its next try takes no room of a limit, and its next try comes.',
  G17: 'A way that is not taken resolves the joins that it leads to.',
  G18: 'What an open run needs is kept for as long as it is open.',
  G19: 'A failure that nobody handles also ends what else is running.',
  G20: 'A long history is read on from any place, to its newest event.',
  G21: 'Priorities order what is claimed.',
  G22: 'Several delays at once in one run end each at its own instant.',
  G23: 'What is run again from a dead letter keeps its priority and its tags.',
  G24: 'No crash leaves a status without the work that it stands for in the queue.',
  G25: 'The cancel of a run reaches the runs that it started and waits for.',
  G26: 'A crash while a map hands out its items leaves each of them with one result, in its place.',
  G27: 'A run goes on with the version of its workflow that it began with.',
  G28: 'What a new runner learns at once of the others includes their labels.',
}
