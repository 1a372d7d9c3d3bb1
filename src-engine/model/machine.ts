/**
 * One declarative status machine, used for invocations and runs alike.
 *
 * A table says for each status where it may go and what entering it does to ownership. `defineMachine`
 * refuses tables that cannot work when they are loaded, and derives everything else from the table.
 * The idea of ownership flags on statuses is pynenc's.
 */

export interface StatusRow<Status extends string, Actor extends string> {
  /** Statuses this one may be left for. A restricted exit names who may take it. */
  readonly to: readonly (Status | { readonly status: Status; readonly by: readonly Actor[] })[]
  /** Entering records the actor as owner. */
  readonly acquires?: true
  /** Only the owner may leave. */
  readonly requires?: true
  /** Entering clears the owner. */
  readonly releases?: true
  /** These actors may enter although somebody else is the owner. */
  readonly overrides?: readonly Actor[]
  /** A runner may claim it once its not-before instant has passed. */
  readonly available?: true
  readonly final?: true
}

export interface MachineTable<Status extends string, Actor extends string> {
  readonly name: string
  /** Where a new record starts. */
  readonly initial: readonly Status[]
  readonly rows: Readonly<Record<Status, StatusRow<Status, Actor>>>
}

/** Who moves a record: the kind of actor and, for a runner, which one. */
export interface MachineActor<Actor extends string> {
  readonly kind: Actor
  readonly id: string | null
}

export type TransitionRefusal =
  | { readonly kind: 'illegal-transition'; readonly from: string | null; readonly to: string }
  | { readonly kind: 'not-the-owner'; readonly owner: string | null; readonly actor: string | null }
  | {
      readonly kind: 'lost-race'
      readonly previous: string | null
      readonly expected: string | null
      readonly actual: string | null
    }

export interface Machine<Status extends string, Actor extends string> {
  readonly name: string
  readonly table: MachineTable<Status, Actor>
  readonly statuses: readonly Status[]
  readonly final: ReadonlySet<Status>
  readonly available: ReadonlySet<Status>
  /** Statuses in which somebody owns the record. */
  readonly owned: ReadonlySet<Status>
  /** Null when the move is in the table (and, for a restricted exit, the actor is named there). */
  readonly validateTransition: (
    from: Status | null,
    to: Status,
    actor: MachineActor<Actor>,
  ) => TransitionRefusal | null
  /** Null when the actor may leave `from` for `to` while `owner` owns the record. */
  readonly validateOwnership: (move: {
    readonly from: Status | null
    readonly to: Status
    readonly owner: string | null
    readonly actor: MachineActor<Actor>
  }) => TransitionRefusal | null
  /** The owner after entering `to`. */
  readonly computeOwner: (to: Status, owner: string | null, actor: MachineActor<Actor>) => string | null
}

/** Builds the machine, or throws with every contradiction of the table. */
export function defineMachine<Status extends string, Actor extends string>(
  table: MachineTable<Status, Actor>,
): Machine<Status, Actor> {
  const problems = machineProblems(table)
  if (problems.length > 0) throw new Error(`The ${table.name} table is impossible: ${problems.join('; ')}`)
  const statuses = Object.keys(table.rows) as Status[]
  const having = (flag: 'final' | 'available'): ReadonlySet<Status> =>
    new Set(statuses.filter((status) => table.rows[status][flag] === true))
  return {
    name: table.name,
    table,
    statuses,
    final: having('final'),
    available: having('available'),
    owned: ownedStatuses(table, statuses),
    validateTransition: (from, to, actor) => validateTransition(table, { from, to }, actor),
    validateOwnership: (move) => validateOwnership(table, move),
    computeOwner: (to, owner, actor) => computeOwner(table, to, { owner, actor }),
  }
}

/** The statuses named as exits of a row, without their restrictions. */
export function exitsOf<Status extends string, Actor extends string>(
  row: StatusRow<Status, Actor>,
): readonly Status[] {
  return row.to.map((exit) => (typeof exit === 'string' ? exit : exit.status))
}

/** Every contradiction of a table in words; empty when it can work. */
function machineProblems<Status extends string, Actor extends string>(
  table: MachineTable<Status, Actor>,
): readonly string[] {
  const problems: string[] = []
  const statuses = Object.keys(table.rows) as Status[]
  if (table.initial.length === 0) problems.push('no initial status')
  for (const status of table.initial)
    if (!(status in table.rows)) problems.push(`initial ${status} is not defined`)
  for (const status of statuses) problems.push(...rowProblems(table, status))
  const reached = reachable(table)
  for (const status of statuses) if (!reached.has(status)) problems.push(`${status} can't be reached`)
  return problems
}

function rowProblems<Status extends string, Actor extends string>(
  table: MachineTable<Status, Actor>,
  status: Status,
): readonly string[] {
  const row = table.rows[status]
  const problems: string[] = []
  if (row.acquires && row.releases) problems.push(`${status} both acquires and releases`)
  if (row.overrides && row.requires) problems.push(`${status} both overrides and requires an owner`)
  if (row.overrides?.length === 0) problems.push(`${status} overrides for nobody`)
  if (row.final && row.available) problems.push(`${status} is final and available`)
  if (row.available && !row.releases) problems.push(`${status} is available but keeps an owner`)
  if (!row.final && row.to.length === 0) problems.push(`${status} is not final and has no exit`)
  for (const exit of row.to) {
    const target = typeof exit === 'string' ? exit : exit.status
    if (!(target in table.rows)) problems.push(`${status} leads to ${target}, which is not defined`)
    if (row.final && (typeof exit === 'string' || exit.by.length === 0)) {
      problems.push(`${status} is final but may be left for ${target} by anyone`)
    }
  }
  return problems
}

function reachable<Status extends string, Actor extends string>(
  table: MachineTable<Status, Actor>,
): ReadonlySet<Status> {
  const reached = new Set<Status>(table.initial)
  const open = [...table.initial]
  for (let status = open.pop(); status !== undefined; status = open.pop()) {
    const row = table.rows[status]
    if (row === undefined) continue
    for (const target of exitsOf(row)) {
      if (reached.has(target)) continue
      reached.add(target)
      open.push(target)
    }
  }
  return reached
}

/** Owned are the acquiring statuses and whatever they lead to without releasing. */
function ownedStatuses<Status extends string, Actor extends string>(
  table: MachineTable<Status, Actor>,
  statuses: readonly Status[],
): ReadonlySet<Status> {
  const owned = new Set<Status>(statuses.filter((status) => table.rows[status].acquires === true))
  const open = [...owned]
  for (let status = open.pop(); status !== undefined; status = open.pop()) {
    for (const target of exitsOf(table.rows[status])) {
      if (owned.has(target) || table.rows[target].releases === true) continue
      owned.add(target)
      open.push(target)
    }
  }
  return owned
}

function validateTransition<Status extends string, Actor extends string>(
  table: MachineTable<Status, Actor>,
  move: { readonly from: Status | null; readonly to: Status },
  actor: MachineActor<Actor>,
): TransitionRefusal | null {
  const refusal: TransitionRefusal = { kind: 'illegal-transition', from: move.from, to: move.to }
  if (move.from === null) return table.initial.includes(move.to) ? null : refusal
  for (const exit of table.rows[move.from].to) {
    if (typeof exit === 'string') {
      if (exit === move.to) return null
    } else if (exit.status === move.to) {
      return exit.by.includes(actor.kind) ? null : refusal
    }
  }
  return refusal
}

function validateOwnership<Status extends string, Actor extends string>(
  table: MachineTable<Status, Actor>,
  move: {
    readonly from: Status | null
    readonly to: Status
    readonly owner: string | null
    readonly actor: MachineActor<Actor>
  },
): TransitionRefusal | null {
  if (move.from === null || table.rows[move.from].requires !== true) return null
  if (move.owner !== null && move.owner === move.actor.id) return null
  if (table.rows[move.to].overrides?.includes(move.actor.kind)) return null
  return { kind: 'not-the-owner', owner: move.owner, actor: move.actor.id }
}

function computeOwner<Status extends string, Actor extends string>(
  table: MachineTable<Status, Actor>,
  to: Status,
  held: { readonly owner: string | null; readonly actor: MachineActor<Actor> },
): string | null {
  const row = table.rows[to]
  if (row.acquires === true) return held.actor.id
  if (row.releases === true) return null
  return held.owner
}
