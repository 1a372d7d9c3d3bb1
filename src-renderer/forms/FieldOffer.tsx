/** A value that somebody else has for a field: taken by a press. */

import { useForm } from './form-context.ts'
import styles from './forms.module.css'

export function FieldOffer({ path }: { readonly path: string }) {
  const { offers, isReadOnly, onLeave } = useForm()
  const offer = offers?.[path]
  if (offer === undefined || isReadOnly) return null
  return (
    <button
      type="button"
      className={styles['offer']}
      title={offer.hint}
      data-testid={`offer-${path}`}
      onClick={({ currentTarget }) => {
        const row = currentTarget.closest('[data-field]')
        offer.take()
        // What was pressed goes with what it offered.
        row?.querySelector<HTMLElement>('input, textarea, select, [data-writes]')?.focus()
        // One step of its own.
        onLeave()
      }}
    >
      {offer.label}
    </button>
  )
}
