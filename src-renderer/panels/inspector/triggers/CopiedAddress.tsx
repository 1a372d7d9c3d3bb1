/** An address to be called, and a button that copies it. */

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { triggers as words } from '../../../text/trigger-words.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './Triggers.module.css'

export function CopiedAddress(props: {
  /** Empty where every method will do. */
  readonly method: string
  readonly url: string
  readonly testId: string
}) {
  const { method, url, testId } = props
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(url).catch(() => undefined)
    setCopied(url)
  }
  const isCopied = copied === url
  return (
    <p className={styles['url']}>
      {method !== '' && <b>{method}</b>}
      <code data-testid={testId}>{url}</code>
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? words.address.copied : words.address.copy}
        onClick={() => void copy()}
      />
    </p>
  )
}
