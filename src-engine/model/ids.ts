/** Branded identifiers. Only this file casts a string to a brand. */

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type WorkflowId = Branded<'WorkflowId'>
/** Content hash of a workflow's meaning: `w1_` + 64 hex digits (`w1` is the hash's own version). */
export type DefinitionHash = Branded<'DefinitionHash'>
export type NodeId = Branded<'NodeId'>
export type EdgeId = Branded<'EdgeId'>
export type RunId = Branded<'RunId'>
export type InvocationId = Branded<'InvocationId'>
export type RunnerId = Branded<'RunnerId'>
export type StoreId = Branded<'StoreId'>
/** Names one checkpoint; committing it twice gives the first answer again. */
export type OpId = Branded<'OpId'>
/** sha256 of a stored blob, 64 hex digits. */
export type BlobHash = Branded<'BlobHash'>

export const workflowId = (text: string): WorkflowId => text as WorkflowId
export const definitionHash = (text: string): DefinitionHash => text as DefinitionHash
export const nodeId = (text: string): NodeId => text as NodeId
export const edgeId = (text: string): EdgeId => text as EdgeId
export const runId = (text: string): RunId => text as RunId
export const invocationId = (text: string): InvocationId => text as InvocationId
export const runnerId = (text: string): RunnerId => text as RunnerId
export const storeId = (text: string): StoreId => text as StoreId
export const opId = (text: string): OpId => text as OpId
export const blobHash = (text: string): BlobHash => text as BlobHash

/** Whether a workflow is one of the engine's own chores, which nobody drew: lists and notices leave their runs out. */
export const isCoreWorkflow = (id: string): boolean => id.startsWith('core.')

/**
 * The invocation of one node of one run: the same demand always has the same id, so that a repeated
 * decision finds the record it made before. `path` is the loop and map path, empty outside of them.
 */
export function invocationIdOf(at: {
  readonly runId: RunId
  readonly generation: number
  readonly nodeId: NodeId
  readonly path: string
  readonly role: 'forward' | 'compensation'
}): InvocationId {
  const role = at.role === 'forward' ? '' : '~undo'
  const path = at.path === '' ? '' : `@${at.path}`
  const generation = at.generation === 0 ? '' : `#${at.generation}`
  return invocationId(`${at.runId}/${at.nodeId}${path}${generation}${role}`)
}

/** The run that an invocation belongs to, as its id tells; the whole text when it names none. */
export function runIdOf(id: InvocationId): RunId {
  const end = id.indexOf('/')
  return runId(end === -1 ? id : id.slice(0, end))
}

/** Whether the invocation's id names this run, as `runIdOf` would tell. */
export function isOfRun(id: InvocationId, run: RunId): boolean {
  const end = id.indexOf('/')
  return end === -1 ? id === (run as string) : end === run.length && id.startsWith(run)
}

/**
 * Where an invocation is in its run, whichever run and generation: `pay`, `pay@each:3` for the one of an item,
 * `pay~undo` for what undoes it.
 */
export const stepPlaceOf = (id: InvocationId): string =>
  id.slice(id.indexOf('/') + 1).replace(/#\d+(?=$|~)/, '')

/** The node that an invocation is of, as its id tells. */
export const nodeIdOf = (id: InvocationId): NodeId => nodeId(stepPlaceOf(id).replace(/[@~#].*$/s, ''))
