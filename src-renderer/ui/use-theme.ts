/** Puts the chosen theme on the page; `system` follows the system as it changes. */

import { useEffect } from 'react'
import { useView } from '../state/context.ts'

export function useTheme(): void {
  const theme = useView((state) => state.theme)
  useEffect(() => {
    const light = matchMedia('(prefers-color-scheme: light)')
    const apply = (): void => {
      document.documentElement.dataset['theme'] =
        theme === 'system' ? (light.matches ? 'light' : 'dark') : theme
    }
    apply()
    light.addEventListener('change', apply)
    return () => light.removeEventListener('change', apply)
  }, [theme])
}
