/** How many steps of a pool run at once: nothing written is no limit. Enter or leaving sets it. */

import { useState } from 'react'
import { pools as words } from '../../../text/messages.ts'
import controls from '../../../ui/controls.module.css'

export function LimitField(props: {
  readonly pool: string
  readonly limit: number | null
  readonly onChange: (limit: number | null) => Promise<void>
}) {
  const { pool, limit, onChange } = props
  const [draft, setDraft] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const shown = limit === null ? '' : String(limit)
  const text = draft ?? shown
  const next = text.trim() === '' ? null : Number(text)
  const isValid = next === null || (Number.isInteger(next) && next >= 1)
  const send = async (): Promise<void> => {
    if (draft === null || !isValid || isSent) return
    setSent(true)
    if (next !== limit) await onChange(next)
    setDraft(null)
    setSent(false)
  }
  return (
    <input
      className={controls['field']}
      style={{ width: 76 }}
      inputMode="numeric"
      aria-label={`Limit of ${pool}`}
      aria-invalid={!isValid}
      aria-busy={isSent}
      title={isValid ? words.limit : words.notANumber}
      placeholder="none"
      data-testid={`pool-limit-${pool}`}
      value={text}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => (isValid ? void send() : setDraft(null))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void send()
        if (event.key === 'Escape') setDraft(null)
      }}
    />
  )
}
