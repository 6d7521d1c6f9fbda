import { pageScript } from '@vestibule/service-kit/pages';

/** How long clients have before the page says what is known, in milliseconds. */
export const PATIENCE_MS = 3_000;
/** How long the end of it can be read before the browser goes on, and where there is something to do. */
const READING_MS = 400;
const ADVICE_MS = 10_000;
/** How often the states of the back channel are read, before and after the page has said what is known. */
const POLL_MS = 500;
const LATER_POLL_MS = 5_000;
const MAX_POLLS = 100;

/** What the page of a client sends to say that it ended its session. */
const CONFIRMATION_MESSAGE = 'logged out';

/**
 * Says of each client what is known. `notified`: the frame of its page has loaded, so the request was sent; browsers
 * load an error page in the same way, so it proves no more. `confirmed`: its page sent {@link CONFIRMATION_MESSAGE} from
 * the origin that the client registered, or its back channel took the logout token. Other messages, such as those of
 * widgets in a login page, and pages of other origins that the frame was redirected to prove nothing.
 *
 * The syntax is ECMAScript 5, for old browser engines and HtmlUnit. Where the `load` events of frames do not pass the
 * document, that of the window stands for all of them: it comes when every frame has loaded (HTML, "completely finish
 * loading").
 */
export const NOTIFICATION_SCRIPT = pageScript(`
(function () {
  var confirmed = [], loaded = [], deliveries = [], polls = 0, isOver = false, isReady = false;
  function byId(id) { return document.getElementById(id); }
  function frames() { return document.getElementsByTagName('iframe'); }
  function indexOf(matches) {
    var all = frames();
    for (var i = 0; i < all.length; i += 1) if (matches(all[i])) return i;
    return -1;
  }
  function stateOf(item) {
    var frame = item.getAttribute('data-frame');
    var told = toldOf(item);
    if (told === 'delivered' || (frame !== '' && confirmed[frame])) return 'confirmed';
    if (frame !== '' && loaded[frame]) return 'notified';
    if (told === 'retrying') return 'retrying';
    if (frame === '' && (told === 'none' || told === 'given_up')) return 'failed';
    if (!isOver) return 'waiting';
    return told === 'waiting' ? 'retrying' : 'failed';
  }
  function toldOf(item) {
    var delivery = item.getAttribute('data-delivery');
    return delivery === '' ? 'none' : deliveries[delivery] || 'waiting';
  }
  function show() {
    var list = byId('clients'), status = byId('status'), count = { length: 0 };
    for (var item = list.firstElementChild; item; item = item.nextElementSibling) {
      var state = stateOf(item), label = item.lastElementChild;
      label.className = state;
      label.textContent = list.getAttribute('data-' + state);
      count[state] = (count[state] || 0) + 1;
      count.length += 1;
      if (state === 'waiting' || toldOf(item) === 'waiting') count.open = true;
    }
    var sentence = 'asking';
    if (isOver) {
      sentence = 'asked';
      if (count.confirmed === count.length) sentence = 'all';
      if (count.failed || count.retrying) sentence = 'some';
    }
    var text = status.getAttribute('data-' + sentence);
    if (status.textContent !== text) status.textContent = text;
    return { isSettled: !count.open, isFinal: !count.open && !count.retrying, hasAdvice: sentence === 'some' };
  }
  function end() {
    if (isOver) return;
    isOver = true;
    var next = byId('status').getAttribute('data-next'), seen = show();
    if (next) setTimeout(function () { location.replace(next); }, seen.hasAdvice ? ${ADVICE_MS} : ${READING_MS});
  }
  function look() {
    if (isReady && show().isSettled) end();
  }
  function poll() {
    var list = byId('clients'), receipt = list.getAttribute('data-receipt');
    polls += 1;
    if (!receipt || polls > ${MAX_POLLS}) return;
    var request = new XMLHttpRequest();
    request.open('POST', list.getAttribute('data-action'));
    request.setRequestHeader('Content-Type', 'application/x-www-form-urlencoded');
    request.onload = function () {
      if (request.status === 200) deliveries = JSON.parse(request.responseText);
      look();
    };
    request.onreadystatechange = function () {
      if (request.readyState === 4 && !show().isFinal) setTimeout(poll, isOver ? ${LATER_POLL_MS} : ${POLL_MS});
    };
    request.send('receipt=' + encodeURIComponent(receipt));
  }
  document.addEventListener('load', function (event) {
    var index = indexOf(function (frame) { return frame === event.target; });
    if (index >= 0) loaded[index] = true;
    look();
  }, true);
  window.addEventListener('message', function (event) {
    if (event.data !== '${CONFIRMATION_MESSAGE}') return;
    var index = indexOf(function (frame) {
      return frame.contentWindow === event.source && frame.getAttribute('data-origin') === event.origin;
    });
    if (index >= 0) confirmed[index] = true;
    look();
  });
  function ready() {
    if (!isReady) setTimeout(poll);
    isReady = true;
    look();
  }
  document.addEventListener('DOMContentLoaded', ready);
  window.addEventListener('load', function () {
    for (var i = 0; i < frames().length; i += 1) loaded[i] = true;
    ready();
  });
  setTimeout(end, ${PATIENCE_MS});
})();
`);
