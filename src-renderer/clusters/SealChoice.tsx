/** Whether a cluster's values are sealed, in the dialog of its connection: what is so, or what is to be so. */

import type { ClusterCheck } from '../../src-engine/protocol/clusters.ts'
import { fill } from '../text/messages.ts'
import { sealStateWords, sealWords as words } from '../text/seal-words.ts'
import styles from './Clusters.module.css'

export function SealChoice(props: {
  /** What was found there; null while nothing is known. */
  readonly check: ClusterCheck | null
  readonly isReadOnly: boolean
  readonly isWanted: boolean
  readonly onChange: (isWanted: boolean) => void
}) {
  const { check, isReadOnly, isWanted, onChange } = props
  const view = check?.kind === 'reached' ? check.sealing : null
  if (view !== null && (view.key !== null || view.problem !== null)) {
    return (
      <section className={styles['seal']} data-testid="cluster-sealing" aria-label={words.choice}>
        <h3>{words.choice}</h3>
        <small>{sealStateWords(view)}</small>
      </section>
    )
  }
  const known = view?.keys.at(-1)?.id
  const which = known === undefined ? words.newKey : fill(words.knownKey, { key: known })
  return (
    <fieldset className={styles['seal']} data-testid="cluster-sealing" disabled={isReadOnly}>
      <legend>{words.choice}</legend>
      <label>
        <span className={styles['tick']}>
          <input
            type="radio"
            name="sealing"
            data-testid="cluster-plain"
            checked={!isWanted || isReadOnly}
            onChange={() => onChange(false)}
          />
          {words.plain}
        </span>
        <small>{words.plainHint}</small>
      </label>
      <label>
        <span className={styles['tick']}>
          <input
            type="radio"
            name="sealing"
            data-testid="cluster-seal"
            checked={isWanted && !isReadOnly}
            onChange={() => onChange(true)}
          />
          {words.sealed}
        </span>
        <small>{isReadOnly ? words.readOnly : `${words.sealedHint} ${which}`}</small>
      </label>
    </fieldset>
  )
}
