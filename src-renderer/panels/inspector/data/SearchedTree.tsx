/** A tree with a search of its own, where it is large enough to need one. */

import { useState } from 'react'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { ValuePath } from '../../../forms/expression-path.ts'
import { dataWords as words } from '../../../text/data-words.ts'
import controls from '../../../ui/controls.module.css'
import { ValueTree } from './ValueTree.tsx'
import { isLarge } from './value-rows.ts'

export function SearchedTree({
  title,
  value,
  root,
  onFollow,
}: {
  readonly title: string
  readonly value: JsonValue
  readonly root: string | null
  readonly onFollow?: ((path: ValuePath) => void) | undefined
}) {
  const [query, setQuery] = useState('')
  return (
    <>
      {isLarge(value) && (
        <input
          type="search"
          className={controls['field']}
          placeholder={words.search}
          aria-label={`${words.search}: ${title}`}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <ValueTree label={title} value={value} root={root} query={query} onUse={null} onFollow={onFollow} />
    </>
  )
}
