/** Above the canvas of a document that nobody here trusts yet: what it can do, and the way to look at it. */

import { ShieldAlert } from 'lucide-react'
import styles from '../panels/panels.module.css'
import { useDesigner, useTrust } from '../state/context.ts'
import { fill } from '../text/messages.ts'
import { restrictedWords as words } from '../text/restricted-words.ts'
import { Button } from '../ui/Button.tsx'
import { abilities } from './reach-groups.ts'

export function RestrictedBanner() {
  const designer = useDesigner()
  const standing = useTrust((state) => state.standing)
  if (standing === null || standing.status === 'trusted') return null
  const { reason, beyond } = standing
  const text = fill(reason === null ? words.can : words.wider, { things: abilities(beyond) })
  return (
    <output className={styles['banner']} data-tone="repair" data-testid="restricted-banner">
      <ShieldAlert size={16} aria-hidden />
      <p>
        <b>{words.opened}</b> {text}
      </p>
      <Button isSmall testId="restricted-review" onClick={() => designer.view.getState().setDialog('trust')}>
        {words.review}
      </Button>
    </output>
  )
}
