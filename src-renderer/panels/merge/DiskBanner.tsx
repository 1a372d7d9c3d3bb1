/** Above the canvas: another program changed what was changed here too. */

import { FileWarning } from 'lucide-react'
import { mergeDocuments } from '../../merge/merge-documents.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import { versionsOf } from '../../state/follow-disk.ts'
import { diskWords as words } from '../../text/disk-words.ts'
import { fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import styles from '../panels.module.css'

export function DiskBanner() {
  const disk = useDocument((state) => state.disk)
  return disk === null ? null : <Changed />
}

function Changed() {
  const designer = useDesigner()
  const count = useDocument((state) =>
    state.disk === null ? 0 : mergeDocuments(versionsOf(state, state.disk)).conflicts.length,
  )
  return (
    <output className={styles['banner']} data-tone="repair" data-testid="disk-banner">
      <FileWarning size={16} aria-hidden />
      <p>{count === 1 ? words.one : fill(words.many, { count })}</p>
      <Button isSmall testId="disk-look" onClick={() => designer.view.getState().setDialog('conflict')}>
        {words.look}
      </Button>
    </output>
  )
}
