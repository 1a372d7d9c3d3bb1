/** Whether a command may run now, followed across the stores it may depend on. */

import { useCallback, useSyncExternalStore } from 'react'
import type { AppCommand } from '../commands/app/app-command.ts'
import { useDesigner } from '../state/context.ts'

/** True while the command may run. */
export function useEnabled(command: AppCommand): boolean {
  const designer = useDesigner()
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [designer.document, designer.view, designer.runs].map((store) =>
        store.subscribe(listener),
      )
      return () => {
        for (const stop of stops) stop()
      }
    },
    [designer],
  )
  return useSyncExternalStore(subscribe, () => command.isEnabled(designer))
}
