import type { LogoutMessages } from './messages.js';

/** Turkish. */
export const tr: LogoutMessages = {
  question: '{provider} oturumunu kapatmak istiyor musunuz?',
  questionWithClient: '{provider} oturumunu da kapatmak istiyor musunuz?',
  sentByClient: '{client} uygulamasındaki oturumunuzu kapatıyorsunuz.',
  consequence: '{provider} ile oturum açtığınız tüm uygulamalardan da oturumunuzu kapatmalarını isteyeceğiz.',
  accept: 'Evet, oturumu kapat',
  decline: 'Hayır, oturumum açık kalsın',
  declineWithClient: 'Hayır, yalnızca {client} oturumunu kapat',
  anotherLogin: 'Bu istek, şu anda kullandığınız hesaptan farklı bir hesap için.',
  badHint: 'Bu istek doğrulanamadı, bu yüzden sizi uygulamaya geri göndermeyeceğiz.',
  redirectRefused: 'Uygulamanın sizi göndermek istediği sayfa doğrulanamadı, bu yüzden burada kalacaksınız.',
  redirectNotRegistered:
    'Geri dönülecek web adresi {client} uygulaması için kayıtlı değil, bu yüzden burada kalacaksınız.',
  answeredBefore: 'Bu soruyu daha önce yanıtladınız ve oturumunuz hâlâ açık. Yeniden seçim yapabilirsiniz.',
  questionChanged: 'Bu sayfa güncel değildi. Lütfen yeniden seçim yapın.',
  endedTitle: 'Oturumunuz kapatıldı',
  ended: '{provider} oturumunuz artık açık değil.',
  stillTitle: '{provider} oturumunuz hâlâ açık',
  kept: 'Hiçbir şey değişmedi.',
  left: 'Yalnızca {client} oturumunuz sonlandırıldı.',
  notLoggedInTitle: 'Oturum açmadınız',
  notLoggedIn: 'Bu tarayıcıda {provider} oturumunuz açık değil.',
  asking: 'Uygulamalardan oturumunuzu kapatmaları isteniyor…',
  asked:
    'Bu uygulamalardan oturumunuzu kapatmalarını istedik. Birinde oturumunuz hâlâ açıksa oradan kapatın.',
  someFailed:
    'Bazı uygulamalara ulaşılamadı; bu uygulamalarda oturumunuz hâlâ açık olabilir. Uygulamaları açıp oturumunuzu kapatın.',
  allConfirmed: 'Bu uygulamaların tümü oturumunuzun kapatıldığını onayladı.',
  waiting: 'Lütfen bekleyin…',
  notified: 'Oturumu kapatması istendi',
  confirmed: 'Oturum kapatıldı',
  retrying: 'Yeniden deneniyor',
  failed: 'Ulaşılamadı',
  oneMoreStepTitle: 'Bir adım kaldı',
  oneMoreStep: 'Bir uygulama, oturumunuzu kapatmak için sizi buraya gönderdi.',
  badRequest: 'Bu istek anlaşılamadı. Uygulamaya geri dönüp yeniden deneyin.',
  fault: 'Sorun bizden kaynaklanıyor. Oturumunuz hâlâ açık olabilir. Lütfen biraz sonra yeniden deneyin.',
  tryAgain: 'Oturum kapatma sayfasına git',
};
