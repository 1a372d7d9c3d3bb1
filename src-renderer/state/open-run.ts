/** A run comes to the canvas: on the document that it is a run of where that is open, else on its own version. */

import type { DefinitionHash } from '../../src-engine/model/ids.ts'
import { withVersionsOf } from '../../src-engine/model/pinned-versions.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { EngineConnection } from '../bridge/connection.ts'
import { asDocument, asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { showRun } from './follow-runs.ts'
import type { ShownRun } from './runs-store.ts'
import { lineTo } from './site-lines.ts'
import { awake, showTab } from './tabs/tabs.ts'
import type { Tab } from './tabs/tabs-store.ts'

type Place = Pick<ShownRun, 'runId' | 'site'> & { readonly hash: DefinitionHash }

/**
 * Opens a run: on the open document when it is the same version, else on its own. Where its workflow is open in
 * another tab, that one comes to the front first: a run isn't shown under another workflow's title.
 */
export async function openRun(designer: Designer, place: Place): Promise<void> {
  const { call } = lineTo(designer, place.site)
  // Asked for once, where it is needed at all.
  let asked: Promise<WorkflowDocument> | null = null
  const version = (): Promise<WorkflowDocument> => (asked ??= versionOf({ call }, place.hash))
  const isOpen = (): Promise<boolean> => isOpenVersion(designer, { call, ...place, version })
  if (await isOpen()) return showRun(designer, { ...place, overlay: null })
  const own = await version()
  const tab = await tabWith(designer, own)
  if (tab !== null) {
    await showTab(designer, tab)
    if (await isOpen()) return showRun(designer, { ...place, overlay: null })
  }
  designer.view.getState().select({})
  showRun(designer, { ...place, overlay: own })
}

type Line = Pick<EngineConnection, 'call'>

const versionOf = async ({ call }: Line, hash: DefinitionHash): Promise<WorkflowDocument> =>
  asDocument((await call('workflows.version', { hash })).document)

async function isOpenVersion(
  designer: Designer,
  { call, hash, version }: Line & Pick<Place, 'hash'> & { readonly version: () => Promise<WorkflowDocument> },
): Promise<boolean> {
  const { isOpen, history } = designer.document.getState()
  return isOpen && (await isVersion({ call }, history.document, { hash, version }))
}

/** The tab in which a workflow is open, while another one is in front. Of those that sleep its namesakes are looked at. */
async function tabWith(designer: Designer, { id, title }: WorkflowDocument): Promise<string | null> {
  const { tabs, active } = designer.tabs.getState()
  const { isOpen, history } = designer.document.getState()
  if (isOpen && history.document.id === id) return null
  for (const tab of tabs) {
    if (tab.id === active || (tab.parked === null && tab.title !== title)) continue
    if ((await documentOf(designer, tab))?.id === id) return tab.id
  }
  return null
}

/** What a tab holds; null where that can't be read any more, which is told when somebody goes there. */
const documentOf = (designer: Designer, tab: Tab): Promise<WorkflowDocument | null> =>
  tab.parked === null
    ? awake(designer, tab).then(
        ({ draft }) => draft.history.document,
        () => null,
      )
    : Promise.resolve(tab.parked.draft.history.document)

interface VersionAsked {
  readonly hash: DefinitionHash
  /** Reads it, for who has it perhaps; from the line when absent. */
  readonly version?: () => Promise<WorkflowDocument>
}

/** Whether a document is that version; it may have left the versions of the workflows that it starts open. */
export async function isVersion(
  line: Line,
  document: WorkflowDocument,
  { hash, version = () => versionOf(line, hash) }: VersionAsked,
): Promise<boolean> {
  const hashOf = async (one: WorkflowDocument): Promise<DefinitionHash | null> =>
    (await line.call('workflows.validate', { document: asJson(one) })).hash
  if ((await hashOf(document)) === hash) return true
  const pinned = withVersionsOf(document, await version())
  return pinned !== document && (await hashOf(pinned)) === hash
}
