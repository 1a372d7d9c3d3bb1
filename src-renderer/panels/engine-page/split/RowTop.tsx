/** The first line of a row: what it is about, and since when. */

import { instantWords } from '../../../ui/time-words.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import styles from './SplitPage.module.css'

export function RowTop({ title, at }: { readonly title: string; readonly at: number }) {
  const now = useSlowClock()
  return (
    <span className={styles['top']}>
      <b>{title}</b>
      <time title={new Date(at).toLocaleString()}>{instantWords(at, now)}</time>
    </span>
  )
}
