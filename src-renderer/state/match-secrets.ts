/** A workflow from elsewhere names secrets of another vault: which of them are missing here, and which take their place. */

import { secretPlaces } from '../../src-engine/model/secret-uses.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { SecretsView } from '../../src-engine/protocol/secrets.ts'
import { matchSecretsIn } from '../commands/rename-secret.ts'
import { matchWords as words } from '../text/export-words.ts'
import type { Designer } from './designer.ts'

/** A name that the vault has nothing for. */
export interface MissingSecret {
  readonly name: string
  /** The steps and triggers that name it, each once. */
  readonly places: readonly string[]
}

/** None while nobody knows what the vault has. */
export function missingSecrets(
  document: WorkflowDocument,
  view: SecretsView | null,
): readonly MissingSecret[] {
  if (view === null) return []
  const there = new Set(view.secrets.map(({ name }) => name))
  const lacking = secretPlaces(document).filter(({ name }) => !there.has(name))
  return [...Map.groupBy(lacking, ({ name }) => name)].map(([name, places]) => ({
    name,
    places: [...new Set(places.map(({ label }) => label))],
  }))
}

/** Says of what was just taken in what it lacks, with the way to mend it. */
export function tellMissingSecrets({ document, secrets, view }: Designer): void {
  const missing = missingSecrets(document.getState().history.document, secrets.getState().view)
  if (missing.length === 0) return
  view.getState().toast({
    tone: 'neutral',
    message: words.told(missing.length),
    hint: missing.map(({ name }) => name).join(', '),
    action: { label: words.choose, run: () => view.getState().setDialog('match-secrets') },
  })
}

/** Has the workflow name the secrets that were chosen: by the missing name, the one of the vault. */
export function matchSecrets({ document }: Designer, chosen: ReadonlyMap<string, string>): void {
  document.getState().edit(matchSecretsIn([...chosen].map(([from, to]) => ({ from, to }))))
  document.getState().endGesture()
}
