/**
 * Binding a workflow to what it is made of: custom tasks are written out as what they stand for, and each
 * sub-workflow step that names none gets the
 * hash of the one that there is now. So the hash of a run's version says all that it will do, and what is
 * edited meanwhile waits for the next run.
 */

import { noWrites } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { WorkflowId } from '../../model/ids.ts'
import { definitionHash, opId } from '../../model/ids.ts'
import { subWorkflowDepthMax } from '../../model/limits.ts'
import { callKind, callText } from '../../model/pinned-versions.ts'
import type { Clock } from '../../model/ports.ts'
import type { WorkflowDocument, WorkflowNode } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import { namesCustomTasks } from '../../model/written-out.ts'
import type { Store } from '../../store/store.ts'
import type { Admission } from '../admission.ts'
import type { CustomTaskSource } from '../custom-task-source.ts'
import type { Definitions } from '../definitions.ts'
import { versionOf } from '../published-version.ts'
import type { WorkflowSource } from './workflow-source.ts'

export interface PinnedWorkflow {
  readonly document: WorkflowDocument
  /** Versions that its steps are bound to and that the store doesn't have yet. */
  readonly versions: readonly WorkflowVersion[]
}

export interface VersionPins {
  /**
   * The same document where it starts no other and has no custom task. Throws `sub_workflow_not_found`, `sub_workflow_cycle`,
   * `sub_workflow_too_deep`, `document_invalid`. `above` are the workflows that start it, outermost first.
   */
  readonly pin: (
    document: WorkflowDocument,
    folder: string | null,
    above?: readonly WorkflowId[],
  ) => Promise<PinnedWorkflow>
  /** Makes versions durable ahead of the checkpoint that names them; nothing for none. */
  readonly publish: (versions: readonly WorkflowVersion[]) => Promise<void>
}

export interface VersionPinsParts {
  readonly customTasks: CustomTaskSource
  readonly admission: Admission
  readonly definitions: Definitions
  readonly source: WorkflowSource
  readonly clock: Clock
  readonly store: Store
  readonly partition: number
}

/** Pins for this engine's runs. */
export function createVersionPins(parts: VersionPinsParts): VersionPins {
  // The same object is started again and again; a document is never changed in place.
  const plain = new WeakSet<WorkflowDocument>()
  return {
    pin: async (drawn, folder, above = []) => {
      const document = namesCustomTasks(drawn) ? await parts.customTasks.writeOut(drawn) : drawn
      if (plain.has(document)) return { document, versions: [] }
      if (!Object.values(document.nodes).some(isCall)) {
        plain.add(document)
        return { document, versions: [] }
      }
      return pinAll({ parts, known: new Map() }, document, { folder, above: [...above, document.id] })
    },
    publish: (versions) => publish(parts, versions),
  }
}

async function publish(
  { store, partition, definitions, clock }: VersionPinsParts,
  versions: readonly WorkflowVersion[],
): Promise<void> {
  if (versions.length === 0) return
  await store.commit(partition, [
    {
      partition,
      opId: opId(`publish:${versions.map(({ hash }) => hash).join(',')}`),
      actor: { kind: 'operator', id: 'publish' },
      at: clock.now(),
      expect: { invocations: [], registers: [] },
      writes: { ...noWrites, workflowVersions: versions },
      events: [],
    },
  ])
  for (const { hash } of versions) definitions.notePublished(hash)
}

interface Search {
  readonly parts: VersionPinsParts
  /** Workflows of this search that are pinned already, by id. */
  readonly known: Map<WorkflowId, Promise<PinnedWorkflow>>
}

interface Place {
  readonly folder: string | null
  /** The workflows on the way here, this one included. */
  readonly above: readonly WorkflowId[]
}

const isCall = (node: WorkflowNode): boolean => node.kind === callKind && node.disabled !== true

async function pinAll(search: Search, document: WorkflowDocument, place: Place): Promise<PinnedWorkflow> {
  const versions: WorkflowVersion[] = []
  const nodes: Record<string, WorkflowNode> = { ...document.nodes }
  let isChanged = false
  for (const [id, node] of Object.entries(document.nodes)) {
    if (!isCall(node)) continue
    const reference = callText(node, 'workflow')
    // What an expression names is known when the step runs.
    if (reference === '' || reference.includes('{{')) continue
    const version = callText(node, 'version')
    if (version.includes('{{')) continue
    if (version !== '') {
      await checkVersion(search, version, place)
      continue
    }
    const pinned = await pinReference(search, reference, place)
    versions.push(...pinned.versions)
    nodes[id] = { ...node, parameters: { ...node.parameters, version: pinned.hash } }
    isChanged = true
  }
  // The nodes keep their ids.
  return isChanged ? { document: { ...document, nodes }, versions } : { document, versions }
}

async function pinReference(
  search: Search,
  reference: string,
  place: Place,
): Promise<{ readonly hash: string; readonly versions: readonly WorkflowVersion[] }> {
  const { source, admission, definitions, clock } = search.parts
  const found = await source.find(reference, place.folder)
  if (found === null) throw notFound(reference)
  const { document, folder } = found
  refuseCircle(document.id, place.above)
  let pinning = search.known.get(document.id)
  if (pinning === undefined) {
    pinning = pinAll(search, document, { folder, above: [...place.above, document.id] })
    search.known.set(document.id, pinning)
  }
  const pinned = await pinning
  const hash = admission.admit(pinned.document)
  definitions.add(hash, pinned.document)
  if (await definitions.isPublished(hash)) return { hash, versions: pinned.versions }
  return { hash, versions: [...pinned.versions, versionOf(pinned.document, hash, clock.now())] }
}

/** A published version has its own steps pinned: only the circle is still to be looked for. */
async function checkVersion(search: Search, hash: string, place: Place): Promise<void> {
  const { document } = await search.parts.definitions.compiled(definitionHash(hash))
  refuseCircle(document.id, place.above)
  await pinAll(search, document, { folder: place.folder, above: [...place.above, document.id] })
}

/** Throws `sub_workflow_cycle`, `sub_workflow_too_deep`. */
export function refuseCircle(id: WorkflowId, above: readonly WorkflowId[]): void {
  const way = [...above, id].join(' → ')
  if (above.includes(id)) {
    const message = `The workflow ${id} would start itself: ${way}.`
    throw new SagasmithError('sub_workflow_cycle', {
      message,
      details: { workflowId: id, way: [...above, id] },
    })
  }
  if (above.length < subWorkflowDepthMax) return
  const message = `Sub-workflows are nested more than ${subWorkflowDepthMax} deep: ${way}.`
  throw new SagasmithError('sub_workflow_too_deep', { message, details: { max: subWorkflowDepthMax } })
}

/** The refusal of a reference that leads nowhere. */
export const notFound = (reference: string): SagasmithError =>
  new SagasmithError('sub_workflow_not_found', {
    message: `There is no workflow “${reference}”.`,
    details: { workflow: reference },
  })
