/** Fields that the data has and nobody has taken: one press takes one, or all. */

import { Plus } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { mappingWords as words } from '../../text/mapping-words.ts'
import { useForm } from '../form-context.ts'
import styles from './Mapping.module.css'
import { untaken, withTaken } from './mapping-edits.ts'
import type { MappingProps } from './mapping-props.ts'

/** More are found in the data of the run. */
const offeredMax = 24

export function FoundFields(props: MappingProps & { readonly names: readonly string[] }) {
  const { mapping, onEdit } = props
  const { isReadOnly, onLeave } = useForm()
  const names = untaken(mapping, props.names).slice(0, offeredMax)
  const leaving = useNextFocus()
  if (isReadOnly || names.length === 0) return null
  const take = (taken: readonly string[], event: MouseEvent<HTMLElement>): void => {
    leaving(event.currentTarget)
    onEdit(taken.reduce(withTaken, mapping))
    onLeave()
  }
  return (
    <fieldset className={styles['found']} aria-label={words.found}>
      <small>{words.found}</small>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          data-offer
          aria-label={words.take.replace('{name}', name)}
          onClick={(event) => take([name], event)}
        >
          <Plus size={11} aria-hidden />
          {name}
        </button>
      ))}
      {names.length > 1 && (
        <button type="button" data-all onClick={(event) => take(names, event)}>
          {words.takeAll}
        </button>
      )}
    </fieldset>
  )
}

/** What is taken goes, and its button with it: the focus is on the next one then, or on the last row when none is left. */
function useNextFocus(): (pressed: HTMLElement) => void {
  const left = useRef<{ readonly form: Element; readonly at: number } | null>(null)
  useLayoutEffect(() => {
    if (left.current === null) return
    const { form, at } = left.current
    left.current = null
    const offers = form.querySelectorAll<HTMLElement>('[data-offer]')
    const next = offers[Math.min(at, offers.length - 1)]
    // The rows of fields are the first ones of the form.
    const rows = form.querySelector('[data-rows]')?.querySelectorAll('[data-row]') ?? []
    const last = [...rows].at(-1)?.querySelector<HTMLElement>('input')
    ;(next ?? last)?.focus()
  })
  return (pressed) => {
    const form = pressed.closest('[data-testid="mapping"]')
    const offers = [...(form?.querySelectorAll('[data-offer]') ?? [])]
    if (form !== null) left.current = { form, at: Math.max(0, offers.indexOf(pressed)) }
  }
}
