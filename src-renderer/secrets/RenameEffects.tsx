/** What a new name changes and what it leaves, before somebody says so. */

import { secretWords as words } from '../text/secret-words.ts'
import styles from './Secrets.module.css'
import { usersOf } from './secret-usage.ts'
import { useSecretUsages } from './use-secret-usages.ts'

export function RenameEffects({ from }: { readonly from: string }) {
  const { usages, published } = useSecretUsages(from)
  const own = usages.filter(({ name }) => name === from)
  const titles = (isOpen: boolean) =>
    usersOf(own.filter(({ at }) => (at.kind === 'open') === isOpen)).map(({ title }) => title)
  const versions = published.filter(({ name }) => name === from).map(({ title }) => title)
  return (
    <div className={styles['effects']} aria-live="polite" data-testid="secret-rename-effects">
      <Titles words={words.renameOpen} titles={titles(true)} />
      <Titles words={words.renameFiles} titles={titles(false)} />
      <Titles words={words.renamePublished} titles={versions} />
      <p>{own.length + versions.length === 0 ? words.unused : words.renameOlder}</p>
    </div>
  )
}

function Titles(props: { readonly words: string; readonly titles: readonly string[] }) {
  if (props.titles.length === 0) return null
  return (
    <p>
      {props.words} <strong>{props.titles.join(', ')}</strong>
    </p>
  )
}
