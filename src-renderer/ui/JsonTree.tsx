/** JSON as a tree: branches are made when they are opened, long lists a page at a time. */

import { useState } from 'react'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import styles from './JsonTree.module.css'

const pageSize = 100
const textCharsMax = 2_000
/** Branches this deep are open from the start, if they are small. */
const openDepth = 2
const openEntriesMax = 20

export function JsonTree({ value }: { readonly value: JsonValue }) {
  return (
    <div className={styles['tree']} role="tree" aria-label="JSON">
      <Value value={value} name={null} depth={0} />
    </div>
  )
}

interface ValueProps {
  readonly value: JsonValue
  readonly name: string | null
  readonly depth: number
}

function Value({ value, name, depth }: ValueProps) {
  const entries = entriesOf(value)
  if (entries === null) {
    return (
      <div className={styles['leaf']} role="treeitem">
        <Name name={name} />
        <Leaf value={value} />
      </div>
    )
  }
  return <Branch entries={entries} isList={Array.isArray(value)} name={name} depth={depth} />
}

function Branch(props: {
  readonly entries: readonly (readonly [string, JsonValue])[]
  readonly isList: boolean
  readonly name: string | null
  readonly depth: number
}) {
  const { entries, isList, name, depth } = props
  const [isOpen, setOpen] = useState(depth < openDepth && entries.length <= openEntriesMax)
  const [shown, setShown] = useState(pageSize)
  const words = isList ? `[${entries.length}]` : `{${entries.length}}`
  return (
    <div role="treeitem" aria-expanded={isOpen} className={styles['branch']}>
      <button type="button" onClick={() => setOpen(!isOpen)} disabled={entries.length === 0}>
        <i data-open={isOpen || undefined} data-empty={entries.length === 0 || undefined} />
        <Name name={name} />
        <small>{words}</small>
      </button>
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- only this role belongs into a tree
        <div role="group" className={styles['inside']}>
          {entries.slice(0, shown).map(([key, item]) => (
            <Value key={key} value={item} name={key} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" className={styles['more']} onClick={() => setShown(shown + pageSize)}>
              {`${entries.length - shown} more …`}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Name({ name }: Pick<ValueProps, 'name'>) {
  return name === null ? null : <span className={styles['name']}>{name}</span>
}

function Leaf({ value }: Pick<ValueProps, 'value'>) {
  if (typeof value !== 'string')
    return <span data-type={value === null ? 'null' : typeof value}>{JSON.stringify(value)}</span>
  const text =
    value.length > textCharsMax ? `${value.slice(0, textCharsMax)}… (${value.length} characters)` : value
  return <span data-type="string">{text === '' ? '""' : text}</span>
}

function entriesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] | null {
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => [String(index), item] as const)
  return isJsonObject(value) ? Object.entries(value) : null
}
