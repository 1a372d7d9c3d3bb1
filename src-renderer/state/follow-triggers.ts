/** Keeps what is known of the shown workflow's triggers fresh, while one is shown. */

import type { DefinitionHash } from '../../src-engine/model/ids.ts'
import { withVersionsOf } from '../../src-engine/model/pinned-versions.ts'
import { versionChanges } from '../../src-engine/model/version-changes.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { asDocument } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { isVersion } from './open-run.ts'
import { shownDocument } from './selectors.ts'

/** Often enough to look live, seldom enough to cost nothing. */
const everyMs = 1_500
/** Versions are compared once a person stops for a moment. */
const compareDelayMs = 600

/** Asks now, after each change of what is shown, and every moment after the last answer. */
export function startTriggers(designer: Designer): void {
  const { ambient, connection, document, runs, triggers } = designer
  let cancel = (): void => undefined
  const ask = async (): Promise<void> => {
    cancel()
    if (!isShown(designer)) return
    const { id } = shownDocument(designer)
    if (triggers.getState().workflowId !== id) triggers.getState().begin(id)
    try {
      const answer = await connection.call('triggers.list', { workflowId: id })
      if (isShown(designer) && shownDocument(designer).id === id)
        triggers.getState().setViews(id, answer.triggers)
    } catch {
      // The engine is away, or knows no triggers: what was known stays until it is back.
    }
    cancel()
    cancel = ambient.after(everyMs, () => void ask())
  }
  connection.state.subscribe(({ status }) => {
    if (status === 'open') void ask()
  })
  document.subscribe((state, before) => {
    if (state.generation !== before.generation || state.isOpen !== before.isOpen) void ask()
  })
  runs.subscribe((state, before) => {
    if (state.current?.overlay !== before.current?.overlay) void ask()
  })
  triggers.subscribe((state, before) => {
    if (state.wishes !== before.wishes) void ask()
  })
  followVersion(designer)
  void ask()
}

/** Whether what is open is what triggers start: asked once nothing has changed for a moment. */
function followVersion(designer: Designer): void {
  const { ambient, connection, document, triggers } = designer
  let cancel = (): void => undefined
  const compare = async (): Promise<void> => {
    const hash = publishedHash(designer)
    const { history, isOpen } = document.getState()
    if (hash === null || !isOpen) return triggers.getState().setAsPublished(null)
    try {
      const isSame = await isVersion(connection, history.document, { hash })
      const changed = isSame ? undefined : await changedSteps(designer, history.document, hash)
      if (document.getState().history.document === history.document)
        triggers.getState().setAsPublished(isSame, changed)
    } catch {
      triggers.getState().setAsPublished(null)
    }
  }
  const soon = (): void => {
    cancel()
    cancel = ambient.after(compareDelayMs, () => void compare())
  }
  document.subscribe((state, before) => {
    if (state.history.document !== before.history.document) soon()
  })
  triggers.subscribe((state, before) => {
    if (state.views !== before.views) soon()
  })
}

/** The steps that are new or mean something else than in that version; where they stand doesn't count. */
async function changedSteps(
  { connection, specs }: Designer,
  document: WorkflowDocument,
  hash: DefinitionHash,
): Promise<ReadonlySet<string>> {
  const { document: version } = await connection.call('workflows.version', { hash })
  const published = asDocument(version)
  const changes = versionChanges(published, withVersionsOf(document, published), specs)
  return new Set(
    changes.filter(({ what, change }) => what === 'node' && change !== 'removed').map(({ id }) => id),
  )
}

/** What its triggers start; null while none is published. */
function publishedHash({ triggers, document }: Designer): DefinitionHash | null {
  const { views, workflowId } = triggers.getState()
  if (workflowId !== document.getState().history.document.id) return null
  return views?.values().next().value?.definitionHash ?? null
}

function isShown({ document, runs }: Designer): boolean {
  return document.getState().isOpen || (runs.getState().current?.overlay ?? null) !== null
}
