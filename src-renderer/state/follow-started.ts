/** The workflows that steps of the open one start, and those that are started there: for what could be undone. */

import { callKind, callText } from '../../src-engine/model/pinned-versions.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { FindStarted } from '../../src-engine/model/saga-coverage.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { EngineConnection } from '../bridge/connection.ts'
import { knownWorkflows, referencedWorkflow } from '../forms/referenced-workflow.ts'
import type { Designer } from './designer.ts'

/** More than a person draws; what is beyond counts as not at hand. */
const startedMax = 100
/** A reference is typed letter by letter. */
const delayMs = 300

/** Loads them when the document is opened or saved, names others, and when the line comes back. */
export function startStartedWorkflows(designer: Designer): void {
  let latest = 0
  let cancel = (): void => undefined
  const load = (): void => {
    const { isOpen, path, history } = designer.document.getState()
    latest += 1
    const mine = latest
    if (!isOpen) return
    void loadStarted(designer.connection, history.document, path).then((find) => {
      if (mine === latest) designer.started.setState({ find })
    })
  }
  designer.document.subscribe((state, before) => {
    const isSame = state.generation === before.generation && state.etag === before.etag
    if (isSame && hasSameNames(state.history.document, before.history.document)) return
    cancel()
    cancel = designer.ambient.after(delayMs, load)
  })
  designer.connection.state.subscribe(({ status }) => {
    if (status === 'open') load()
  })
}

/** Reads them from the library; what can't be read isn't at hand. `path` is the file of the root. */
export async function loadStarted(
  connection: Pick<EngineConnection, 'call'>,
  root: WorkflowDocument,
  path: string | null,
): Promise<FindStarted> {
  if (namesOf(root) === '') return () => null
  const known = knownWorkflows(await connection.call('library.list', {}).catch(() => []))
  const pathOf = new Map<WorkflowDocument, string>()
  const byPath = new Map<string, WorkflowDocument | null>()
  const placeOf = (of: WorkflowDocument, step: WorkflowNode): string | null => {
    const reference = referenceOf(step)
    if (reference === null) return null
    return referencedWorkflow(known, reference, pathOf.get(of) ?? path)?.path ?? null
  }
  const open = [root]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const step of Object.values(at.nodes)) {
      const place = placeOf(at, step)
      if (place === null || byPath.has(place) || byPath.size >= startedMax) continue
      const document = await readOrNull(connection, place)
      byPath.set(place, document)
      if (document === null) continue
      pathOf.set(document, place)
      open.push(document)
    }
  }
  return (of, step) => byPath.get(placeOf(of, step) ?? '') ?? null
}

/** Null where nobody can say before the run. */
function referenceOf(node: WorkflowNode): string | null {
  if (node.kind !== callKind || callText(node, 'version') !== '') return null
  const reference = callText(node, 'workflow')
  return reference === '' || reference.includes('{{') ? null : reference
}

const namesOf = ({ nodes }: WorkflowDocument): string =>
  [...new Set(Object.values(nodes).flatMap((node) => referenceOf(node) ?? []))].join('\n')

const hasSameNames = (document: WorkflowDocument, before: WorkflowDocument): boolean =>
  document.nodes === before.nodes || namesOf(document) === namesOf(before)

async function readOrNull(
  connection: Pick<EngineConnection, 'call'>,
  path: string,
): Promise<WorkflowDocument | null> {
  try {
    const { document } = await connection.call('library.read', { path })
    const read = parseDocument(document)
    return read.ok ? read.value.document : null
  } catch {
    // It is told where its own step is checked; here it isn't at hand.
    return null
  }
}
