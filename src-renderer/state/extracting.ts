/** Steps become a workflow of their own, in a file of its own; and a call is written out as the steps it stands for. */

import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { Expansion } from '../../src-engine/model/extraction/expand.ts'
import { expand } from '../../src-engine/model/extraction/expand.ts'
import type { Extraction } from '../../src-engine/model/extraction/extract.ts'
import { extract } from '../../src-engine/model/extraction/extract.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { answered } from '../bridge/desktop.ts'
import { takeDocument } from '../commands/take-code.ts'
import { knownWorkflows, referencedWorkflow } from '../forms/referenced-workflow.ts'
import { referenceTo } from '../rules/workflow-reference.ts'
import { expandRefusals, extractWords as words } from '../text/extract-words.ts'
import { fill } from '../text/messages.ts'
import { asJson, newWorkflowId } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { fileNameOf, nextName, openPath } from './files.ts'
import { readFile, writeFile } from './read-files.ts'

/** Names that are tried for its file. */
const namesMax = 99

const openDocument = ({ document }: Designer): WorkflowDocument => document.getState().history.document

/** What would come of the selection, whatever it will be called. */
export const extraction = (designer: Designer, title: string): Extraction =>
  extract(openDocument(designer), designer.view.getState().selection.nodes.map(nodeId), {
    id: newWorkflowId(designer.ambient),
    title,
    reference: '',
    specs: designer.specs,
  })

/**
 * Writes the new workflow, then has one step call it; false where the person named no place for it. That step is
 * selected.
 */
export async function extractSelection(designer: Designer, title: string): Promise<boolean> {
  const before = openDocument(designer)
  const made = extraction(designer, title)
  if (!made.ok) return false
  const { child, step } = made.made
  const path = await writeChild(designer, child)
  if (path === null) return false
  await designer.connection.call('documents.trust', { document: asJson(child), reason: 'made' })
  const { document, view, desktop } = designer
  if (openDocument(designer) !== before) throw changedMeanwhile()
  const reference = desktop === null ? child.id : referenceTo(path, document.getState().path)
  document.getState().edit(takeDocument(words.extractEdit, calling(made.made.parent, step, reference)))
  view.getState().select({ nodes: [step] })
  view.getState().toast({
    tone: 'good',
    message: fill(words.made, { title }),
    hint: words.madeHint,
    action: { label: words.open, run: () => void openPath(designer, path) },
  })
  return true
}

function calling(document: WorkflowDocument, step: NodeId, reference: string): WorkflowDocument {
  const node = document.nodes[step]
  if (node === undefined) return document
  const parameters = { ...node.parameters, workflow: reference }
  return { ...document, nodes: { ...document.nodes, [step]: { ...node, parameters } } }
}

const changedMeanwhile = (): SagasmithError =>
  new SagasmithError('bad_request', {
    message: 'The workflow was changed while the new one was written.',
    hint: 'The new file is there; make it again, or call it from a step.',
  })

/** Where it lies; null where the person changed their mind. */
async function writeChild(designer: Designer, child: WorkflowDocument): Promise<string | null> {
  const { desktop } = designer
  const wanted = fileNameOf(child.title)
  if (desktop !== null) {
    const target = await answered(desktop.saveWorkflowDialog(wanted))
    return target === null ? null : (await writeFile(designer, child, target)).path
  }
  let name = wanted
  for (let tries = 1; ; tries += 1) {
    try {
      return (await writeFile(designer, child, { path: name, etag: null })).path
    } catch (thrown) {
      const isTaken = thrown instanceof SagasmithError && thrown.code === 'document_changed_on_disk'
      if (!isTaken || tries === namesMax) throw thrown
      name = nextName(name)
    }
  }
}

/** The one selected call; null for anything else. */
export function selectedCall(designer: Designer): NodeId | null {
  const [id, another] = designer.view.getState().selection.nodes
  if (id === undefined || another !== undefined) return null
  return openDocument(designer).nodes[nodeId(id)]?.kind === 'sub-workflow' ? nodeId(id) : null
}

/** Puts the steps of the called workflow in the place of the selected call. */
export async function expandSelected(designer: Designer): Promise<void> {
  const step = selectedCall(designer)
  if (step === null) return
  await attempt(designer, async () => {
    const child = await calledBy(designer, step)
    const { view, document } = designer
    const expansion = expand(openDocument(designer), step, { child, specs: designer.specs })
    if (!expansion.ok) {
      view.getState().toast({ tone: 'bad', message: words.notExpanded, hint: refusalOf(expansion) })
      return
    }
    const { steps, settingsLost } = expansion.made
    // Its steps are another file's: what reaches further by them is asked about.
    designer.trust.getState().doubt()
    document.getState().edit(takeDocument(words.expandEdit, expansion.made.document))
    view.getState().select({ nodes: steps })
    const hint =
      settingsLost.length === 0 ? '' : fill(words.settingsLost, { settings: settingsLost.join(', ') })
    view.getState().toast({ tone: 'good', message: fill(words.expanded, { title: child.title }), hint })
  })
}

const refusalOf = ({ refusal }: Extract<Expansion, { readonly ok: false }>): string =>
  fill(expandRefusals[refusal.code], { what: refusal.what.join(', ') })

/** The workflow that a step calls, as its file is now. */
export async function calledBy(designer: Designer, step: NodeId): Promise<WorkflowDocument> {
  const { path } = designer.document.getState()
  const reference = openDocument(designer).nodes[step]?.parameters?.['workflow']
  const named = typeof reference === 'string' ? reference.trim() : ''
  const known = knownWorkflows(await designer.connection.call('library.list', {}))
  const found = referencedWorkflow(known, named, path)?.path ?? besides(designer, named, path)
  if (found === null)
    throw new SagasmithError('file_not_found', { message: fill(words.notFound, { reference: named }) })
  return (await readFile(designer, found)).document
}

/** The id of a workflow of the library that a file names from where it is, else the whole path. */
export async function wholeReference(designer: Designer, reference: string): Promise<string> {
  const { path } = designer.document.getState()
  const known = knownWorkflows(await designer.connection.call('library.list', {}))
  return referencedWorkflow(known, reference, path)?.id ?? besides(designer, reference, path) ?? reference
}

/** A file that lies where the desktop's own file says. */
function besides({ desktop }: Designer, reference: string, from: string | null): string | null {
  if (desktop === null || !reference.endsWith('.json')) return null
  if (!reference.startsWith('./')) return reference
  return from === null ? null : from.replace(/[^\\/]*$/, '') + reference.slice(2)
}
