/** Nodes, notes and groups share React Flow's id space: a prefix tells them apart. */

const notePrefix = 'note:'
const scopePrefix = 'scope:'
const framePrefix = 'frame:'

/** The flow id of a note. */
export const noteFlowId = (id: string): string => `${notePrefix}${id}`
/** The flow id of a group of nodes that is undone together. */
export const scopeFlowId = (id: string): string => `${scopePrefix}${id}`

/** The flow id of a frame. */
export const frameFlowId = (id: string): string => `${framePrefix}${id}`

/** The note that a flow id is of; null for anything else. */
export const noteIdOf = (flowId: string): string | null =>
  flowId.startsWith(notePrefix) ? flowId.slice(notePrefix.length) : null
/** The group that a flow id is of; null for anything else. */
export const scopeIdOf = (flowId: string): string | null =>
  flowId.startsWith(scopePrefix) ? flowId.slice(scopePrefix.length) : null
/** The frame that a flow id is of; null for anything else. */
export const frameIdOf = (flowId: string): string | null =>
  flowId.startsWith(framePrefix) ? flowId.slice(framePrefix.length) : null
/** Whether a flow id is that of a node of the document. */
export const isNodeId = (flowId: string): boolean => !flowId.includes(':')
