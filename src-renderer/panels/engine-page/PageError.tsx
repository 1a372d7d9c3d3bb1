/** In place of a page whose first answer didn't come. */

import type { ErrorRecord } from '../../../src-engine/model/errors.ts'
import styles from './EnginePage.module.css'

export function PageError({ error }: { readonly error: ErrorRecord | null }) {
  if (error === null) return null
  return (
    <div className={styles['none']} role="alert" data-testid="engine-page-error">
      <p>{error.message}</p>
      <p>{error.hint}</p>
    </div>
  )
}
