import type { Lesson } from '../lesson.ts'
import { button, call, code, connector, dimension } from './build.ts'

/** From a connector in the browser to one on the chain. */
export const publish: Lesson = {
  setUp: (naming) => [
    { role: 'melody', entry: connector(naming('melody'), [dimension([call(naming('climb'), 7)])]) },
    { role: 'climb', entry: code('transformation', naming('climb'), 'return (x + args[0]) % 12;') },
  ],
  steps: (name) => [
    {
      title: 'Sign in',
      text: [
        `This is \`${name('melody')}\`, with the function that it uses. So far both are only in your browser. What you publish belongs to an account, and an account is a key in a wallet.`,
        'This is a chain for trying things out, so no wallet of your own is needed: press Sign in and choose the throwaway wallet. It is filled up with worthless coins.',
      ],
      target: button('Sign in'),
      awaits: 'account',
      elsewhere: [
        'What you publish belongs to an account, and an account is a key in a wallet. The chain of this site is a real one: publishing there costs real coins, yours or this site’s, and it stays. So the lesson leaves it to you.',
        'To do it later, press Sign in, choose your wallet, and sign the message it shows. Signing in costs nothing.',
      ],
    },
    {
      title: 'Publish it',
      text: [
        'Press Publish. The card shows what others will meet; its details list what goes to the chain in which order: your function first, as the piece needs it.',
        'Then press the button at the foot. A wallet asks once for all of it; the throwaway wallet signs by itself.',
      ],
      target: button('Publish', 'melody'),
      awaits: 'published',
      publishes: 'melody',
      elsewhere: [
        'Later, press Publish at the top. The card shows what it costs, and its details what goes to the chain in which order, and what is there already. Nothing is sent before you press its button, and your wallet asks you once for all of it.',
        'You can close the page at any time; nothing is ever sent twice.',
      ],
    },
  ],
  ending: [
    'Published, it is there for everybody: to run, to check, and to build on.',
    'It stays as it is. To change something that is published, open it and make a copy under another name.',
  ],
}
