/** Objects that go along as they are, without some of their names: merging, and keeping what isn't renamed. */

import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { mappingWords as words } from '../../text/mapping-words.ts'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { useForm } from '../form-context.ts'
import { useRowFocus } from '../use-row-focus.ts'
import styles from './Mapping.module.css'
import type { MappingProps } from './mapping-props.ts'

export function WholeObjects({ mapping, onEdit }: MappingProps) {
  const { isReadOnly, onLeave } = useForm()
  const { all, each } = mapping
  const rows = useRowFocus<HTMLFieldSetElement>()
  const set = (next: readonly string[]): void => onEdit({ ...mapping, all: next })
  return (
    <fieldset className={styles['whole']} {...rows}>
      <legend>{words.whole}</legend>
      {all.map((from, index) => {
        const title = words.wholeOf.replace('{number}', String(index + 1))
        return (
          <div key={index} className={styles['one']} data-row>
            <input
              className={styles['code']}
              aria-label={title}
              placeholder={each === null ? 'input' : '$'}
              value={from}
              readOnly={isReadOnly}
              spellCheck={false}
              onBlur={onLeave}
              onChange={(event) => set(all.with(index, event.currentTarget.value))}
            />
            {!isReadOnly && (
              <IconButton
                icon={X}
                data-remove
                label={words.remove.replace('{name}', title)}
                onClick={() => {
                  set(all.toSpliced(index, 1))
                  onLeave()
                }}
              />
            )}
          </div>
        )
      })}
      {all.length > 0 && <Without mapping={mapping} onEdit={onEdit} />}
      {!isReadOnly && (
        <button
          type="button"
          className={controls['button']}
          data-kind="quiet"
          data-size="small"
          data-add
          onClick={() => {
            set([...all, all.length > 0 ? '' : each === null ? 'input' : '$'])
            onLeave()
          }}
        >
          <Plus size={14} aria-hidden />{' '}
          {all.length > 0 ? words.addWhole : each === null ? words.all : words.entry}
        </button>
      )}
      {all.length > 0 && <p className={styles['hint']}>{words.wholeHint}</p>}
    </fieldset>
  )
}

function Without({ mapping, onEdit }: MappingProps) {
  const { isReadOnly, onLeave } = useForm()
  const [typed, setTyped] = useState<string | null>(null)
  const shown = mapping.without.join(', ')
  const isTyped = typed !== null && namesOf(typed).join(', ') === shown
  return (
    <label className={styles['without']}>
      {words.without}
      <input
        className={styles['code']}
        value={isTyped ? typed : shown}
        title={words.withoutHint}
        placeholder="password, internal"
        readOnly={isReadOnly}
        spellCheck={false}
        onBlur={onLeave}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onEdit({ ...mapping, without: namesOf(event.currentTarget.value) })
        }}
      />
    </label>
  )
}

const namesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]
