/** The fields of a mapping: what each is called and where it comes from, and what comes of an example. */

import type { DragEvent } from 'react'
import { useState } from 'react'
import { mappingWords as words } from '../../text/mapping-words.ts'
import { useForm } from '../form-context.ts'
import { usePreview } from '../use-preview.ts'
import { readDrag, valueDragType } from '../value-drag.ts'
import { BeforeAfter } from './BeforeAfter.tsx'
import { namesIn } from './before-after.ts'
import { FoundFields } from './FoundFields.tsx'
import type { Mapping } from './field-mapping.ts'
import { mappingExpression } from './field-mapping.ts'
import styles from './Mapping.module.css'
import { MappingRows } from './MappingRows.tsx'
import { exampleSource, withValue } from './mapping-edits.ts'
import type { MappingProps } from './mapping-props.ts'
import { WholeObjects } from './WholeObjects.tsx'

export function MappingForm(props: {
  readonly mapping: Mapping
  readonly text: string
  readonly onChange: (text: string) => void
}) {
  const { nodeId, isReadOnly, onLeave } = useForm()
  // Rows that have no name or value yet are in no expression: they are kept here until they have.
  const [draft, setDraft] = useState<Mapping | null>(null)
  const mapping = draft !== null && mappingExpression(draft) === props.text ? draft : props.mapping
  const onEdit = (next: Mapping): void => {
    setDraft(next)
    props.onChange(mappingExpression(next))
  }
  const before = usePreview({ text: exampleSource(mapping), mode: 'expression', nodeId })
  const after = usePreview({ text: props.text, mode: 'expression', nodeId })
  const names = before?.kind === 'value' ? namesIn(before.value) : []
  const drop = {
    onDragOver: (event: DragEvent) => {
      if (isReadOnly || !event.dataTransfer.types.includes(valueDragType)) return
      event.preventDefault()
      event.stopPropagation()
    },
    onDrop: (event: DragEvent) => {
      const dragged = readDrag(event.dataTransfer)
      if (isReadOnly || dragged === null) return
      event.preventDefault()
      event.stopPropagation()
      onEdit(withValue(mapping, dragged))
      onLeave()
    },
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- with the keyboard, values are put here from their tree
    <div className={styles['form']} data-testid="mapping" {...drop}>
      <MadeOf mapping={mapping} onEdit={onEdit} />
      <MappingRows mapping={mapping} onEdit={onEdit} />
      <FoundFields mapping={mapping} onEdit={onEdit} names={names} />
      <WholeObjects mapping={mapping} onEdit={onEdit} />
      <BeforeAfter before={before} after={after} />
    </div>
  )
}

/** One object, or one for each entry of a list. */
function MadeOf({ mapping, onEdit }: MappingProps) {
  const { isReadOnly, onLeave } = useForm()
  const { each } = mapping
  const choice = (title: string, next: string | null) => (
    <button
      type="button"
      aria-pressed={(each === null) === (next === null)}
      disabled={isReadOnly}
      onClick={() => {
        onEdit({ ...mapping, each: next })
        onLeave()
      }}
    >
      {title}
    </button>
  )
  return (
    <div className={styles['made']}>
      <fieldset className={styles['views']} aria-label={words.makes}>
        {choice(words.one, null)}
        {choice(words.each, each ?? 'input')}
      </fieldset>
      {each !== null && (
        <input
          className={styles['code']}
          aria-label={words.list}
          value={each}
          placeholder="input.rows"
          readOnly={isReadOnly}
          spellCheck={false}
          onBlur={onLeave}
          onChange={(event) => onEdit({ ...mapping, each: event.currentTarget.value })}
        />
      )}
    </div>
  )
}
