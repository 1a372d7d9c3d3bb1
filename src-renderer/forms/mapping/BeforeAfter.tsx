/** An example from the data at hand, before and after, side by side. */

import { mappingWords as words } from '../../text/mapping-words.ts'
import type { Preview } from '../use-preview.ts'
import type { ExampleRow } from './before-after.ts'
import { exampleOf } from './before-after.ts'
import styles from './Mapping.module.css'

export function BeforeAfter(props: { readonly before: Preview | null; readonly after: Preview | null }) {
  const { before, after } = props
  if (before === null || after === null) return null
  if (after.kind === 'problem') return <p className={styles['problem']}>{after.message}</p>
  if (after.kind === 'no-data' || before.kind !== 'value')
    return <p className={styles['hint']}>{words.noExample}</p>
  const example = exampleOf(before.value, after.value ?? null)
  return (
    <div className={styles['example']} data-testid="before-after">
      <Side title={words.before} rows={example.before} />
      <Side title={words.after} rows={example.after} />
    </div>
  )
}

function Side({ title, rows }: { readonly title: string; readonly rows: readonly ExampleRow[] }) {
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      {rows.length === 0 && <p className={styles['hint']}>{words.nothing}</p>}
      <dl>
        {rows.map(({ name, text, change }) => (
          <div key={name} data-change={change} title={text}>
            <dt>
              {name}
              {change !== 'none' && <span className="visually-hidden">{` (${words.changes[change]})`}</span>}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
