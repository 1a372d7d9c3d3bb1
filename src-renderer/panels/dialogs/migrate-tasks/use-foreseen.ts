/** What steps would become, asked one after the other: each is a process of its own in the engine. */

import { useEffect, useState } from 'react'
import type { TaskUse } from '../../../../src-engine/model/task-versions.ts'
import { useDesigner } from '../../../state/context.ts'
import type { Foreseen } from '../../../state/task-versions.ts'
import { foresee } from '../../../state/task-versions.ts'

/** By the place in the list, which stays the same; null where nothing is known yet. */
export function useForeseen(uses: readonly TaskUse[]): readonly (Foreseen | null)[] {
  const designer = useDesigner()
  const [known, setKnown] = useState<readonly Foreseen[]>([])
  useEffect(() => {
    let isLeft = false
    const askAll = async (): Promise<void> => {
      for (const use of uses) {
        const came = await foresee(designer, use)
        if (isLeft) return
        setKnown((before) => [...before, came])
      }
    }
    void askAll()
    return () => {
      isLeft = true
    }
  }, [designer, uses])
  return uses.map((_use, index) => known[index] ?? null)
}
