/** Storage key of a reader's choice of theme; absent while it follows the system. */
const THEME_KEY = 'weft-theme'

/** Marks the buttons that switch the theme. */
export const THEME_SWITCH = 'data-theme-switch'

export const DARK = '(prefers-color-scheme: dark)'

/**
 * Runs in `<head>` before the first paint, so that a remembered theme never flashes and the switch works from the first
 * moment on. Choosing what the system has already means following it again. Storage may be switched off; a choice then
 * lasts as long as the page.
 */
export const themeScript = `(function(k,r){
try{var t=localStorage.getItem(k);if(t==='light'||t==='dark')r.dataset.theme=t}catch(e){}
addEventListener('click',function(e){
if(!(e.target instanceof Element)||!e.target.closest('[${THEME_SWITCH}]'))return;
var s=matchMedia('${DARK}').matches,c=r.dataset.theme,d=c?c!=='dark':!s;
r.dataset.theme=d?'dark':'light';
try{if(d===s)localStorage.removeItem(k);else localStorage.setItem(k,r.dataset.theme)}catch(e){}
})})('${THEME_KEY}',document.documentElement)`
