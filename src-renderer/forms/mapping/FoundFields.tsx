/** Fields that the data has and nobody has taken: one press takes one, or all. */

import { Plus } from 'lucide-react'
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
  if (isReadOnly || names.length === 0) return null
  const take = (taken: readonly string[]): void => {
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
          aria-label={words.take.replace('{name}', name)}
          onClick={() => take([name])}
        >
          <Plus size={11} aria-hidden />
          {name}
        </button>
      ))}
      {names.length > 1 && (
        <button type="button" data-all onClick={() => take(names)}>
          {words.takeAll}
        </button>
      )}
    </fieldset>
  )
}
