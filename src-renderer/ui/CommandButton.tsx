/** A button for a registered command: name, key and whether it may run come from the registry. */

import type { LucideIcon } from 'lucide-react'
import { commandOf, runCommand } from '../commands/registry.ts'
import { useDesigner } from '../state/context.ts'
import { IconButton } from './IconButton.tsx'
import { useEnabled } from './use-enabled.ts'
import { useKeyWords } from './use-key-map.ts'

export function CommandButton(props: {
  readonly id: string
  readonly icon: LucideIcon
  readonly testId?: string
  readonly isPressed?: boolean
}) {
  const designer = useDesigner()
  const command = commandOf(props.id)
  const isEnabled = useEnabled(command)
  const keys = useKeyWords(command)
  return (
    <IconButton
      icon={props.icon}
      label={command.title}
      keys={keys}
      disabled={!isEnabled}
      data-testid={props.testId}
      {...(props.isPressed === undefined ? {} : { isPressed: props.isPressed })}
      onClick={() => runCommand(designer, props.id)}
    />
  )
}
