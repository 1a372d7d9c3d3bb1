/** What the rules would say, before they count: about past runs, and about a made-up request. */

import { policyWords } from '../../../text/policy-words.ts'
import type { TrialProps } from './PastTrial.tsx'
import { PastTrial } from './PastTrial.tsx'
import styles from './Policy.module.css'
import { RequestTrial } from './RequestTrial.tsx'

export function PolicyTryOut(props: TrialProps & { readonly isUsable: boolean }) {
  const { candidate, policy, isUsable } = props
  if (!isUsable) return <p className={styles['column']}>{policyWords.tryOut.wrong}</p>
  return (
    <div className={styles['column']} data-testid="policy-try">
      <PastTrial candidate={candidate} policy={policy} />
      <RequestTrial candidate={candidate} policy={policy} />
    </div>
  )
}
