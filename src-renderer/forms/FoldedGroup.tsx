/** Fields that stand together, folded until they are wanted or have a problem. */

import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { useView } from '../state/context.ts'
import { isWithin, useForm } from './form-context.ts'
import styles from './forms.module.css'
import type { FormField } from './schema-fields.ts'

export function FoldedGroup(props: {
  readonly title: string
  /** What its fields come to, in a few words; null where nobody says. */
  readonly summary?: string | null
  readonly fields: readonly FormField[]
  readonly value: JsonObject
  /** Path of the object that the fields belong to; empty at the top. */
  readonly path: string
  readonly children: ReactNode
}) {
  const { title, fields, value, path } = props
  const { problems } = useForm()
  const [isOpen, setOpen] = useState(false)
  const bodyId = useId()
  const within = (wanted: string | null): boolean =>
    fields.some((field) => isWithin(wanted, path === '' ? field.key : `${path}.${field.key}`))
  const isWished = useView((state) => within(state.fieldWish?.field ?? null))
  const isShown = isOpen || isWished || problems.some((problem) => within(problem.field))
  // Most groups stay folded, and editors of code are dear. What was shown once stays, with what is written there.
  const [isMade, setMade] = useState(isShown)
  if (isShown && !isMade) setMade(true)
  const changed = fields.filter((field) => value[field.key] !== undefined).length
  return (
    <section className={styles['group']}>
      <button type="button" aria-expanded={isShown} aria-controls={bodyId} onClick={() => setOpen(!isShown)}>
        <ChevronRight size={14} aria-hidden />
        {title}
        {!isShown && <Summary text={props.summary ?? null} isSet={changed > 0} />}
      </button>
      <div id={bodyId} hidden={!isShown} className={styles['form']}>
        {isMade && props.children}
      </div>
    </section>
  )
}

function Summary({ text, isSet }: { readonly text: string | null; readonly isSet: boolean }) {
  if (text === null && !isSet) return null
  return <small data-set={isSet || undefined}>{text ?? 'set'}</small>
}
