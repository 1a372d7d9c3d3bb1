/** In a browser: whether the person is told of new entries while they look at something else. */

import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { useDesigner } from '../../../state/context.ts'
import { approvals as words } from '../../../text/approval-words.ts'
import { Button } from '../../../ui/Button.tsx'

/** Nothing in the desktop app, where it goes without saying. */
export function NoticeChoice() {
  const { desktop, notices } = useDesigner()
  const [permission, setPermission] = useState(notices.permission)
  if (desktop !== null) return null
  if (permission !== 'undecided')
    return (
      <small data-testid="notice-state">{permission === 'granted' ? words.telling : words.notTelling}</small>
    )
  return (
    <Button
      isSmall
      kind="quiet"
      icon={BellRing}
      title={words.tellMeHint}
      testId="notice-ask"
      onClick={() => void notices.ask().then(setPermission)}
    >
      {words.tellMe}
    </Button>
  )
}
