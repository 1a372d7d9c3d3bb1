/** A payload as a tree; a large one is fetched when it is asked for. */

import { Copy } from 'lucide-react'
import { useMemo } from 'react'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import type { Payload } from '../../../src-engine/model/payload.ts'
import { isFleeting } from '../../../src-engine/model/payload.ts'
import type { SealedPayload } from '../../../src-engine/model/seal.ts'
import { sealedWords } from '../../../src-engine/model/seal.ts'
import type { ValuePath } from '../../forms/expression-path.ts'
import { notKept } from '../../text/result-words.ts'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { SearchedTree } from './data/SearchedTree.tsx'
import styles from './Inspector.module.css'
import { usePayload } from './use-payload.ts'

export function PayloadView({
  title,
  payload,
  root = null,
  testId,
  onFollow,
}: {
  readonly title: string
  readonly payload: Payload | null
  /** The expression that reads it; null for what no expression sees. */
  readonly root?: string | null
  readonly testId?: string
  /** Follows what stands at a place of it; absent for what isn't the newest of its step. */
  readonly onFollow?: (path: ValuePath) => void
}) {
  const { json, load, isGone } = usePayload(payload, false)
  const value = useMemo(() => (json === null ? undefined : (JSON.parse(json) as JsonValue)), [json])
  if (payload === null) return null
  return (
    <section className={styles['block']} data-testid={testId}>
      <header>
        <h3>{title}</h3>
        {json !== null && (
          <IconButton
            icon={Copy}
            label={`Copy ${title.toLowerCase()}`}
            onClick={() => void navigator.clipboard?.writeText(JSON.stringify(value, null, 2))}
          />
        )}
      </header>
      {payload.kind === 'sealed' ? (
        <SealedValue payload={payload} />
      ) : isGone ? (
        <GoneValue title={title} payload={payload} />
      ) : value === undefined ? (
        <button type="button" className={controls['button']} data-size="small" onClick={load}>
          {`Show ${payload.kind === 'blob' ? Math.ceil(payload.bytes / 1024) : 0} KB`}
        </button>
      ) : (
        <>
          {isFleeting(payload) && <p data-testid="fleeting-value">{notKept.until}</p>}
          <SearchedTree title={title} value={value} root={root} onFollow={onFollow} />
        </>
      )}
    </section>
  )
}

/** Which key would open it, and how to get that. */
function SealedValue({ payload }: { readonly payload: SealedPayload }) {
  const { message, hint } = sealedWords(payload.token, payload.problem)
  return (
    <p data-testid="sealed-value">
      {message} {hint}
    </p>
  )
}

/** Why it isn't there, and what of it is. */
function GoneValue({ title, payload }: { readonly title: string; readonly payload: Payload }) {
  const summary = isFleeting(payload) ? payload.fleeting.summary : null
  return (
    <div data-testid="gone-value">
      <p>
        {notKept.why} {summary !== null && notKept.shape}
      </p>
      {summary !== null && (
        <SearchedTree title={title} value={JSON.parse(summary) as JsonValue} root={null} />
      )}
    </div>
  )
}
