/** How keys come from one machine to another: by commands, so that no passphrase is typed into a page. */

import { Copy } from 'lucide-react'
import { useDesigner } from '../../../state/context.ts'
import { handCommands, sealWords as words } from '../../../text/seal-words.ts'
import own from '../../../trust/Trust.module.css'
import { IconButton } from '../../../ui/IconButton.tsx'

export function HandKeys({ hasKeys }: { readonly hasKeys: boolean }) {
  const { cluster } = useDesigner()
  const commands = handCommands(cluster?.name ?? null)
  return (
    <section className={own['section']}>
      <h2>{words.handTitle}</h2>
      {hasKeys && (
        <>
          <p>{words.exportHint}</p>
          <CommandLine text={commands.out} testId="seal-export" />
        </>
      )}
      <p>{words.importHint}</p>
      <CommandLine text={commands.in} testId="seal-import" />
    </section>
  )
}

function CommandLine({ text, testId }: { readonly text: string; readonly testId: string }) {
  return (
    <div className={own['command']}>
      <code data-testid={testId}>{text}</code>
      <IconButton icon={Copy} label={words.copy} onClick={() => void navigator.clipboard.writeText(text)} />
    </div>
  )
}
