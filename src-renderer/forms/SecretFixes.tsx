/** What mends a field whose secret is missing or bound elsewhere, right under what is wrong with it. */

import { useState } from 'react'
import { nodeId as asNodeId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import { namesIn } from '../../src-engine/model/secret-uses.ts'
import { SecretDialog } from '../secrets/SecretDialog.tsx'
import styles from '../secrets/Secrets.module.css'
import { bindingFor } from '../secrets/secret-draft.ts'
import { misfitOf } from '../secrets/secret-fit.ts'
import { useSecretWanted } from '../secrets/use-secret-wanted.ts'
import { useSecrets } from '../state/context.ts'
import { secretWords as words } from '../text/secret-words.ts'
import { Button } from '../ui/Button.tsx'
import { useForm } from './form-context.ts'
import form from './forms.module.css'
import type { FormField } from './schema-fields.ts'
import { holdsSecretName } from './schema-fields.ts'

const mended: readonly string[] = ['secret_missing', 'secret_not_allowed']

export function SecretFixes(props: {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly path: string
  readonly problems: readonly Problem[]
}) {
  const { field, value, path, problems } = props
  const { nodeId, isReadOnly } = useForm()
  const view = useSecrets((state) => state.view)
  const wanted = useSecretWanted(nodeId === null ? null : asNodeId(nodeId), path)
  const [asked, setAsked] = useState<string | null>(null)
  const isName = holdsSecretName(field)
  if (view === null || isReadOnly || view.vault.problem !== null) return null
  // Kept open while it is written, though the problem is gone as soon as it is saved.
  if (!isName && asked === null && !problems.some(({ code }) => mended.includes(code))) return null
  const entryOf = (name: string) => view.secrets.find((entry) => entry.name === name) ?? null
  /** In words; null for one that fits. */
  const wrongWith = (name: string): string | null => {
    const entry = entryOf(name)
    if (entry === null) return words.missing
    return wanted === null ? null : misfitOf(entry, wanted)
  }
  const broken = namedIn(value, isName).filter((name) => wrongWith(name) !== null)
  const binding = wanted === null ? {} : bindingFor(wanted.node)
  return (
    <>
      {isName && broken[0] !== undefined && (
        <p className={form['problem']} role="alert" data-severity="warning">
          {words.callers(broken[0], wrongWith(broken[0]))}
        </p>
      )}
      {broken.length > 0 && (
        <div className={styles['fixes']}>
          {broken.map((name) => (
            <Button isSmall key={name} testId={`secret-fix-${name}`} onClick={() => setAsked(name)}>
              {entryOf(name) === null ? `Add ${name} ${words.fixMissing}` : `${name}: ${words.fixBound}`}
            </Button>
          ))}
        </div>
      )}
      {asked !== null && (
        <SecretDialog
          secret={entryOf(asked)}
          known={{ ...binding, name: asked }}
          onSaved={() => undefined}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** The secrets that a field names, each once. */
function namedIn(value: JsonValue | undefined, isName: boolean): readonly string[] {
  if (isName) return typeof value === 'string' && value !== '' ? [value] : []
  if (typeof value === 'string') return [...new Set(namesIn(value))]
  if (typeof value !== 'object' || value === null) return []
  return [...new Set(Object.values(value).flatMap((item: JsonValue) => namedIn(item, false)))]
}
