# What orbit map does, as one would write it with OpenCV: read, pose, bicubic rotation, write.
import os, sys
import cv2, numpy as np

cv2.setNumThreads(1)
source, target, weights = sys.argv[1], sys.argv[2], {}
os.makedirs(target)
for name in sorted(os.listdir(source)):
    image = cv2.imread(os.path.join(source, name))
    h, w = image.shape[:2]
    if (h, w) not in weights:
        y, x = np.mgrid[:h, :w] - np.array([(h - 1) / 2, (w - 1) / 2])[:, None, None]
        weights[h, w] = ((x + 1j * y) * (x * x + y * y <= min(h, w) ** 2 / 4)).astype(np.complex64)
    angle = np.degrees(np.angle(np.vdot(weights[h, w], image.mean(2))))
    turn = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), angle, 1)
    turned = cv2.warpAffine(image, turn, (w, h), flags=cv2.INTER_CUBIC)
    cv2.imwrite(os.path.join(target, os.path.splitext(name)[0] + ".png"), turned)
